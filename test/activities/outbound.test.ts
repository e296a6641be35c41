/** Requests to URLs of clients: the addresses that are refused at the connection, and the results of misbehaving receivers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { guardedConnector, type Lookup, describeConnectionError } from '../../runtime/guarded-connector.ts';
import { createOutbound, type Outbound } from '../../activities/outbound.ts';
import { isPublicAddress } from '../../schemas/addresses.ts';

let server: Server;
let port: number;
let open: Outbound;
let guarded: Outbound;
let named: Outbound;

/** Addresses that the name server returns for each lookup, in order; the last ones repeat. */
let resolved: string[][] = [];
let lookups: string[] = [];
const lookupHere: Lookup = (hostname, _options, callback) => {
  const addresses = resolved[Math.min(lookups.length, resolved.length - 1)] ?? [];
  lookups.push(hostname);
  setImmediate(() =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    ),
  );
};
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.url ?? '');
    const redirect = /^\/redirect\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (redirect) return void response.writeHead(Number(redirect), { location: '/target' }).end();
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
  named = createOutbound([], lookupHere);
});
afterAll(async () => {
  await Promise.all([open, guarded, named].map((outbound) => outbound.close()));
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
  ['/garbage', { status: null, retryAfter: null, error: 'no valid response' }],
  // The status counts, even if the body never ends or breaks off.
  ['/endless', { status: 202, retryAfter: null, error: null }],
  ['/drip', { status: 200, retryAfter: null, error: null }],
  ['/broken', { status: 200, retryAfter: null, error: null }],
])('reports the response of a receiver: %s', async (path, expected) => {
  expect(await post(open, `http://127.0.0.1:${port}${path}`)).toEqual(expected);
  expect(seen).not.toContain('/target');
});

test('reports a timeout when a receiver never responds', async () => {
  expect((await post(open, `http://127.0.0.1:${port}/silent`, 300)).error).toBe('timeout');
});

test('reports a refused connection', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(free.address() as AddressInfo).port}/`;
  await new Promise((resolve) => free.close(resolve));
  expect((await post(open, url)).error).toBe('connection refused');
});

test('reports a host that does not resolve', async () => {
  expect((await post(guarded, 'http://nothing.invalid/')).error).toBe('name not found');
});

test.each(['127.0.0.1', '127.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', 'localhost', hostname()])(
  'refuses a host that leads to this machine: %s',
  async (host) => {
    if (host === hostname()) expect(isPublicAddress((await lookup(host)).address)).toBe(false);
    seen.length = 0;
    const response = await post(guarded, `http://${host}:${port}/`);
    expect(response).toEqual({ status: null, retryAfter: null, error: 'address not allowed' });
    expect(seen).toEqual([]);
  },
);

const refused = { status: null, retryAfter: null, error: 'address not allowed' };

test.each(['10.0.0.1', '192.168.1.1', '169.254.169.254', '168.63.129.16', '[fd00:ec2::254]', '[64:ff9b::7f00:1]'])(
  'refuses the literal address %s without opening a connection',
  async (host) => {
    const began = performance.now();
    expect(await post(guarded, `http://${host}/`)).toEqual(refused);
    expect(performance.now() - began).toBeLessThan(1000);
  },
);

test('rejects a port of another protocol at the connection, too', async () => {
  resolved = [['8.8.8.8']];
  lookups = [];
  expect(await post(named, 'http://mail.example.org:25/')).toEqual(refused);
  expect(lookups).toEqual([]);
});

test.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['169.254.169.254']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['64:ff9b::7f00:1']],
  [['fe80::1%eth0']],
  // A mixture, in either order.
  [['8.8.8.8', '127.0.0.1']],
  [['127.0.0.1', '8.8.8.8']],
  [['2606:4700:4700::1111', '::1']],
])('refuses a host name that resolves to %p', async (addresses) => {
  resolved = [addresses];
  lookups = [];
  seen.length = 0;
  for (const name of ['rebind.example.org', 'rebind.example.org.', 'xn--bcher-kva.example.org']) {
    expect(await post(named, `http://${name}:${port}/`)).toEqual(refused);
  }
  expect(await named.get(`https://rebind.example.org:${port}/`, bounds())).toMatchObject({
    error: 'address not allowed',
  });
  expect([lookups.length, seen]).toEqual([4, []]);
});

const bounds = () => ({ limit: 1000, timeout: 5000, signal: new AbortController().signal });

test('checks the addresses of a host at each connection', async () => {
  const connect = guardedConnector([], lookupHere);
  const connectOnce = () =>
    new Promise<Error | null>((resolve) => {
      const options = { hostname: 'rebind.example.org', protocol: 'http:', port: String(port) };
      connect(options, (error, socket) => resolve(socket ? null : error));
    });
  // Each socket ends when its address is known, so that no packet leaves this machine.
  const addresses: string[] = [];
  const endAtTheAddress = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('lookup', (error, address) => {
      if (error) return;
      addresses.push(address);
      socket.destroy(new Error('not connected'));
    });
  };
  seen.length = 0;
  lookups = [];
  // A connector with one lookup for the check and another for the connection would connect to this machine.
  resolved = [['8.8.8.8'], ['127.0.0.1']];
  subscribe('net.client.socket', endAtTheAddress);
  try {
    expect(await connectOnce()).toMatchObject({ message: 'not connected' });
    expect([lookups.length, addresses]).toEqual([1, ['8.8.8.8']]);
    expect(describeConnectionError(await connectOnce())).toBe('address not allowed');
    expect([lookups.length, addresses, seen]).toEqual([2, ['8.8.8.8'], []]);
  } finally {
    unsubscribe('net.client.socket', endAtTheAddress);
  }
});

test('posts a webhook once and follows no redirect', async () => {
  seen.length = 0;
  for (const status of [301, 302, 303, 307, 308]) {
    expect((await post(open, `http://127.0.0.1:${port}/redirect/${status}`)).status).toBe(status);
  }
  expect(seen.filter((path) => path === '/target')).toEqual([]);
  expect(seen).toHaveLength(5);
});
