/** A stream on the wire: heartbeats, clients that do not read, and clients that disconnect. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { type EventStream, openEventStream } from '../../api/stream/event-stream.ts';
import { eventually } from '../support/eventually.ts';

const heartbeat = 200;
let server: Server;
let socket: Socket;
let received: string;
let opened: Promise<EventStream>;
/** Returns the number of bytes that wait in this process. */
let unread: () => Promise<number>;

beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<EventStream>();
  opened = promise;
  const app = express().get('/', (_request, response) => {
    unread = async () => {
      await new Promise((turn) => setImmediate(turn));
      return response.writableLength;
    };
    resolve(openEventStream(response, heartbeat));
  });
  server = createServer(app);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
});
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const event = (bytes: number) => `event: progress\ndata: "${'x'.repeat(bytes)}"\n\n`;

test('sends the headers at once, heartbeats while open, and a clean end', async () => {
  const stream = await opened;
  await eventually(() => expect(received).toMatch(/200 OK.*text\/event-stream.*retry: \d+\n\n/s));
  await eventually(() => expect(received.match(/: still here\n\n/g)?.length).toBeGreaterThan(2));
  stream.send(event(10));
  stream.end();
  await stream.closed;
  // Sending after the end does nothing.
  stream.send(event(10));
  stream.end();
  await eventually(() => expect(received).toMatch(/event: progress.*0\r\n\r\n$/s));
});

test('disconnects a client that does not read, before much is buffered', async () => {
  const stream = await opened;
  await eventually(() => expect(received).toContain('retry'));
  socket.pause();
  let isOpen = true;
  void stream.closed.then(() => (isOpen = false));
  let sent = 0;
  // 200 MB is more than the system buffers.
  while (isOpen && sent < 200e6) {
    stream.send(event(64_000));
    sent += 64_000;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await stream.closed;
  expect(sent).toBeLessThan(200e6);
});

test.each([
  ['is open', () => undefined],
  ['has ended', (stream: EventStream) => stream.end()],
])('disconnects a client that leaves little unread for two heartbeats: the stream %s', async (_name, then) => {
  const stream = await opened;
  await eventually(() => expect(received).toContain('retry'));
  socket.pause();
  let isOpen = true;
  void stream.closed.then(() => (isOpen = false));
  // The system buffers megabytes. The rest stays here, less than the limit of a stream.
  while (isOpen && (await unread()) < 100_000) stream.send(event(20_000));
  const began = performance.now();
  expect(isOpen).toBe(true);
  then(stream);
  await stream.closed;
  expect(performance.now() - began).toBeGreaterThan(heartbeat / 2);
});

test('a client that disconnects closes the stream', async () => {
  const stream = await opened;
  await eventually(() => expect(received).toContain('retry'));
  socket.destroy();
  await stream.closed;
});
