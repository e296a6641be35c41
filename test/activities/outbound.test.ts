/** The way out to addresses of clients: what is refused at the connection, and what a misbehaving receiver comes to. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '../../activities/outbound.ts';
import { isPublicAddress } from '../../schemas/addresses.ts';

let server: Server;
let port: number;
let open: Outbound;
let guarded: Outbound;
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.url ?? '');
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/target' }).end();
    if (request.url === '/reset') return request.socket.resetAndDestroy();
    if (request.url === '/silent') return undefined;
    if (request.url === '/garbage') return void request.socket.end('HTTP/9.9 what\r\n\r\n');
    if (request.url === '/drip') return void drip(() => response.write('.'));
    if (request.url === '/endless') {
      const more = () => void (response.write('x'.repeat(64_000)) ? setImmediate(more) : response.once('drain', more));
      response.writeHead(202);
      return more();
    }
    if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': 1000 }).write('not all');
      return void setTimeout(() => request.socket.destroy(), 50);
    }
    response.writeHead(200, { 'retry-after': '7' }).end('fine');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  ({ port } = server.address() as AddressInfo);
  open = createOutbound(['127.0.0.1']);
  guarded = createOutbound([]);
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  server.closeAllConnections();
  server.close();
});

const timers: NodeJS.Timeout[] = [];
function drip(write: () => void): void {
  write();
  timers.push(setInterval(write, 100).unref());
}
afterAll(() => timers.forEach((timer) => clearInterval(timer)));

const post = (outbound: Outbound, url: string, timeout = 5000) => outbound.post(url, {}, '{}', { timeout });

test.each([
  ['/', { status: 200, retryAfter: '7', error: null }],
  ['/redirect', { status: 302, retryAfter: null, error: null }],
  ['/reset', { status: null, retryAfter: null, error: 'connection closed' }],
  ['/garbage', { status: null, retryAfter: null, error: 'no valid answer' }],
  // What the receiver has said counts, whatever becomes of the rest.
  ['/endless', { status: 202, retryAfter: null, error: null }],
  ['/drip', { status: 200, retryAfter: null, error: null }],
  ['/broken', { status: 200, retryAfter: null, error: null }],
])('a receiver at %s', async (path, expected) => {
  expect(await post(open, `http://127.0.0.1:${port}${path}`)).toEqual(expected);
  expect(seen).not.toContain('/target');
});

test('a receiver that never answers is a timeout', async () => {
  expect((await post(open, `http://127.0.0.1:${port}/silent`, 300)).error).toBe('timeout');
});

test('nobody listens', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(free.address() as AddressInfo).port}/`;
  await new Promise((resolve) => free.close(resolve));
  expect((await post(open, url)).error).toBe('connection refused');
});

test('a name that does not resolve', async () => {
  expect((await post(guarded, 'http://nothing.invalid/')).error).toBe('name not found');
});

test.each(['127.0.0.1', '127.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', 'localhost', hostname()])(
  'what leads to this machine is refused at the connection: %s',
  async (host) => {
    if (host === hostname()) expect(isPublicAddress((await lookup(host)).address)).toBe(false);
    seen.length = 0;
    const answer = await post(guarded, `http://${host}:${port}/`);
    expect(answer).toEqual({ status: null, retryAfter: null, error: 'address not allowed' });
    expect(seen).toEqual([]);
  },
);
