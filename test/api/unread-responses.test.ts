/**
 * A response ends when its client stops reading, and continues for a slow client. All times are a hundredth of those of
 * the service, and all speeds are a hundred times as high.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { endUnreadResponses } from '../../api/http/end-unread-responses.ts';

const timeout = 1500;
const part = Buffer.alloc(64 * 1024);
const bytes = 320 * part.length;

let server: Server;
const ended: string[] = [];

beforeAll(async () => {
  const app = express();
  app.use(endUnreadResponses(timeout));
  app.get('/large/:name', ({ params }, response) => {
    response.once('close', () => ended.push(params.name));
    // In parts, as a file is read.
    const parts = Array<Buffer>(bytes / part.length).fill(part);
    Readable.from(parts).pipe(response);
  });
  app.get('/late', async (_request, response) => {
    await sleep(2 * timeout);
    response.end('late');
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends requests on one connection, of which nothing is read until it is resumed. */
function request(...paths: string[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  return socket.setEncoding('latin1').pause();
}

test('continues for a client that reads 30 KB per second', async () => {
  const socket = request('/large/slow');
  let received = 0;
  socket.on('data', (chunk: string) => {
    received += chunk.length;
    socket.pause();
  });
  // 30 KB per second for the service are 3 MB per second here, and 30 KB in ten milliseconds.
  const began = Date.now();
  const reading = setInterval(() => {
    if (received < 3 * (Date.now() - began) * 1024) socket.resume();
  }, 10);
  while (received < bytes && !socket.destroyed) await sleep(10);
  clearInterval(reading);
  socket.destroy();
  expect(received).toBeGreaterThanOrEqual(bytes);
  expect(Date.now() - began).toBeGreaterThan(2 * timeout);
}, 60_000);

test('ends the response of a client that reads nothing but sends, and those that wait for it', async () => {
  const socket = request('/large/first', '/large/second', '/large/third');
  const began = Date.now();
  // Node's timer for a connection would restart.
  const sending = setInterval(() => socket.write('\r\n'), timeout / 5);
  while (ended.length < 3 && Date.now() - began < 60_000) await sleep(50);
  clearInterval(sending);
  expect(ended).toEqual(expect.arrayContaining(['first', 'second', 'third']));
  expect(Date.now() - began).toBeGreaterThan(timeout - 100);
  socket.destroy();
}, 90_000);

test('waits for a response that the service has not begun', async () => {
  const socket = request('/late');
  socket.resume();
  const [text] = (await once(socket, 'data')) as [string];
  expect(text).toContain('late');
  socket.destroy();
}, 60_000);
