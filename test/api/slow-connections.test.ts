/** Connections that send nothing, or headers slowly, or many requests at once: each is closed, and delays no other. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

jest.setTimeout(120_000);

let service: Service;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await joinService('accepting');
});
afterAll(() => sockets.forEach((socket) => socket.destroy()));

interface Connection {
  socket: Socket;
  /** Returns the text that has been received so far. */
  received(): string;
  closed: Promise<unknown>;
}

/** Opens a connection that sends `text`. */
function open(text: string): Connection {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: string) => (received += chunk)).on('error', () => undefined);
  socket.write(text);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, received: () => received, closed };
}

const line = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nhost: a\r\n`;
const live = `${line('GET', '/health/live')}\r\n`;

/** A request whose response takes 20 seconds: it waits for the end of an artwork that no worker makes. */
function slow(): string {
  const body = JSON.stringify({ prompt: 'a fox' });
  return [
    `${line('POST', '/v2/artworks/selena')}authorization: Bearer ${service.adminKey}`,
    'content-type: application/json',
    'prefer: wait=20',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test('closes 300 connections that send nothing or headers slowly, and serves others meanwhile', async () => {
  const began = Date.now();
  const times = Array.from({ length: 100 });
  const silent = times.map(() => open(''));
  const unfinished = times.map(() => open(line('GET', '/health')));
  const dripping = times.map(() => open(line('GET', '/health')));
  const drip = setInterval(() => dripping.forEach(({ socket }) => socket.write('a: b\r\n')), 500);
  try {
    const { status } = await call(`${service.baseUrl}/v2/artworks`, { key: service.adminKey });
    expect(status).toBe(200);
    for (const { closed, received } of [...silent, ...unfinished, ...dripping]) {
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 408 .*"rule":"timeout"/s);
    }
    // Node itself would take at least 60 seconds.
    expect(Date.now() - began).toBeLessThan(50_000);
  } finally {
    clearInterval(drip);
  }
});

test('rejects the 17th request without a response on a connection, and those after it', async () => {
  const { received } = open(`${slow()}${live.repeat(20)}`);
  const expected = [202, ...Array<number>(15).fill(200), ...Array<number>(5).fill(429)];
  await eventually(() => expect(statusesIn(received())).toEqual(expected), 60_000);
  expect(received()).toContain('Wait for the responses.');
  expect(received()).toContain('Retry-After: 1\r\n');
});

test('accepts more requests on a connection once it has received responses', async () => {
  const { socket, received } = open('');
  for (const round of [1, 2, 3]) {
    socket.write(live.repeat(16));
    await eventually(() => expect(statusesIn(received())).toEqual(Array<number>(16 * round).fill(200)));
  }
});

test('closes a connection that sends 10,000 requests at once', async () => {
  const { closed, received } = open(`${slow()}${live.repeat(10_000)}`);
  await closed;
  expect(received()).toBe('');
  expect((await call(`${service.baseUrl}/health/live`)).status).toBe(200);
});
