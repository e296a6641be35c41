/** Downloads of images from clients' URLs: limits on bytes, time and redirects, and the check of each address. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '../../activities/outbound.ts';

let server: Server;
let port: number;
let open: Outbound;
let seen: string[];

const pages: Record<string, (response: ServerResponse) => void> = {
  '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('bytes of an image'),
  '/302': (response) => response.writeHead(302, { location: '/image' }).end(),
  '/307': (response) => response.writeHead(307, { location: `http://127.0.0.1:${port}/302` }).end(),
  '/308': (response) => response.writeHead(308, { location: '/307' }).end(),
  '/four': (response) => response.writeHead(301, { location: '/308' }).end(),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/private': (response) => response.writeHead(302, { location: 'http://10.0.0.1/latest/meta-data' }).end(),
  '/metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/hex': (response) => response.writeHead(302, { location: 'http://0x0a000001/' }).end(),
  '/file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/plain': (response) => response.writeHead(302, { location: 'http://example.org/' }).end(),
  '/404': (response) => response.writeHead(404).end('no'),
  '/500': (response) => response.writeHead(500).end('no'),
  '/reset': (response) => response.socket!.resetAndDestroy(),
  '/silent': () => undefined,
  '/slow': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 50);
    response.once('close', () => clearInterval(timer));
  },
  '/endless': (response) => {
    const more = () => void (response.write('x'.repeat(64_000)) ? setImmediate(more) : response.once('drain', more));
    more();
  },
  '/says-much': (response) => response.writeHead(200, { 'content-length': 1e12 }).write('x'),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('part');
    setTimeout(() => response.socket?.destroy(), 20);
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.url!);
    pages[request.url!]!(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  open = createOutbound(['127.0.0.1']);
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await open.close();
  server.closeAllConnections();
  server.close();
});

const get = (path: string, { limit = 100_000, timeout = 3000, signal = new AbortController().signal } = {}) =>
  open.get(path.startsWith('/') ? `http://127.0.0.1:${port}${path}` : path, { limit, timeout, signal });

test.each(['/image', '/302', '/307', '/308'])('follows redirects to the image: %s', async (path) => {
  expect(await get(path)).toEqual({ bytes: Buffer.from('bytes of an image'), declaredType: 'image/png' });
});

test.each([
  ['/four', 'more than 3 redirects'],
  ['/loop', 'more than 3 redirects'],
  ['/private', 'address not allowed'],
  ['/metadata', 'address not allowed'],
  ['/hex', 'address not allowed'],
  ['/file', 'address not allowed'],
  ['/plain', 'address not allowed'],
  ['/nowhere', 'the server responded with 302'],
  ['/404', 'the server responded with 404'],
  ['/endless', 'too large'],
  ['/says-much', 'too large'],
  ['http://192.168.1.1/a.png', 'address not allowed'],
  ['https://localhost/a.png', 'address not allowed'],
  ['https://nothing.invalid/a.png', 'address not allowed'],
])('fails without a second attempt: %s, %s', async (path, error) => {
  expect(await get(path)).toMatchObject({ error });
  expect(new Set(seen).size).toBe(path === '/loop' ? 1 : seen.length);
});

test.each([
  ['/500', 'the server responded with 500'],
  ['/reset', 'connection closed'],
  ['/broken', 'the server sent 4 of 100 bytes'],
])('fails after a second attempt: %s, %s', async (path, error) => {
  expect(await get(path)).toMatchObject({ error });
  expect(seen).toEqual([path, path]);
});

test.each(['/silent', '/slow'])('ends at the deadline: %s', async (path) => {
  const began = performance.now();
  expect(await get(path, { timeout: 400 })).toMatchObject({ error: 'timeout' });
  expect(performance.now() - began).toBeLessThan(1500);
});

test('ends at once when it is canceled', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const began = performance.now();
  expect(await get('/slow', { timeout: 10_000, signal: stop.signal })).toHaveProperty('error');
  expect(performance.now() - began).toBeLessThan(1500);
});
