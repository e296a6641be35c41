/** Lookups of host names at a DNS server that is slow, fails, or changes its responses. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLookup, type LookupOptions } from '../../runtime/lookup.ts';
import { createOutbound } from '../../activities/outbound.ts';
import { eventually } from '../support/eventually.ts';
import { type NameServer, type NameServerResponse, startNameServer } from '../support/name-server.ts';

const publicAddress = '203.0.113.7';
const silent = /^slow/;

let dns: NameServer;
let folder: string;
let records: Record<string, NameServerResponse> = {};

beforeAll(async () => {
  const standard = { addresses: [publicAddress] };
  dns = await startNameServer((name) => (silent.test(name) ? 'silent' : (records[name] ?? standard)));
  folder = await mkdtemp(join(tmpdir(), 'atelier-hosts-'));
});
afterAll(async () => {
  await dns.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  records = {};
  dns.queries.length = 0;
});

/** Returns a lookup that resolves with the addresses, or with the code of the error. */
function lookupWith(options: Partial<LookupOptions> = {}): (name: string) => Promise<string[] | string> {
  const lookup = createLookup({
    allowedHosts: [],
    servers: [dns.address],
    hostsFile: join(folder, 'none'),
    ...options,
  });
  return (name) =>
    new Promise((resolve) =>
      lookup(name, { all: true }, (error, addresses) =>
        resolve(error ? String(error.code) : addresses.map(({ address }) => address)),
      ),
    );
}

/** Returns the order in which the promises settle. */
async function orderOf(work: Record<string, Promise<unknown>>): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(Object.entries(work).map(([name, promise]) => promise.then(() => order.push(name))));
  return order;
}

test('returns IPv4 and IPv6 addresses', async () => {
  records = { 'both.example.org': { addresses: ['2001:db8::7', publicAddress] } };
  expect(await lookupWith()('both.example.org')).toEqual([publicAddress, '2001:db8::7']);
});

test('tells a name without addresses from servers that fail', async () => {
  records = { 'absent.example.org': { addresses: [] }, 'broken.example.org': 'failure' };
  const lookup = lookupWith();
  expect(await lookup('absent.example.org')).toBe('ENOTFOUND');
  expect(await lookup('broken.example.org')).toBe('EAI_AGAIN');
  expect(await lookup(`${'x'.repeat(64)}.example.org`)).toBe('ENOTFOUND');
});

test('names that get no response delay no other name and no file, and fail after five seconds', async () => {
  const lookup = lookupWith();
  const began = performance.now();
  const slow = Array.from({ length: 50 }, (_, index) => lookup(`slow-${index}.example.org`));
  await eventually(() => expect(dns.queries.length).toBeGreaterThanOrEqual(50));
  const order = orderOf({
    slow: Promise.race(slow),
    fast: lookup('fast.example.org'),
    file: readFile(new URL(import.meta.url)),
  });
  expect((await order).at(-1)).toBe('slow');
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['EAI_AGAIN']));
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('lookups beyond the limit wait, and the event loop and files continue', async () => {
  const lookup = lookupWith({ concurrency: 2 });
  const slow = ['slow-1.example.org', 'slow-2.example.org'].map(lookup);
  const order = await orderOf({
    slow: Promise.race(slow),
    waiting: lookup('fast.example.org'),
    file: delay(100).then(() => readFile(new URL(import.meta.url))),
  });
  expect(order).toEqual(['file', 'slow', 'waiting']);
  await Promise.all(slow);
});

test('concurrent lookups of one name share a query', async () => {
  const lookup = lookupWith();
  const found = await Promise.all(Array.from({ length: 20 }, () => lookup('fast.example.org')));
  expect(found).toEqual(Array(20).fill([publicAddress]));
  expect(dns.queries).toEqual(['fast.example.org']);
});

test.each([
  ['the addresses of a long TTL for 30 seconds', { addresses: [publicAddress], ttl: 86_400 }, 30_000],
  ['the addresses of a short TTL as long as it says', { addresses: [publicAddress], ttl: 3 }, 3000],
  ['the addresses of a TTL of 0 not at all', { addresses: [publicAddress], ttl: 0 }, 0],
  ['the absence of a name for five seconds', { addresses: [] }, 5000],
  ['no failure', 'failure' as const, 0],
])('keeps %s', async (_name, response, kept) => {
  const name = 'kept.example.org';
  records = { [name]: response };
  let now = 0;
  const lookup = lookupWith({ now: () => now });
  const lookUpTwice = async () => [await lookup(name), await lookup(name)];
  await lookup(name);
  now = Math.max(kept - 1, 0);
  const queries = dns.queries.length;
  await lookup(name);
  expect(dns.queries.length > queries).toBe(kept === 0);
  now = kept;
  records = { [name]: { addresses: ['203.0.113.8'] } };
  expect(await lookUpTwice()).toEqual([['203.0.113.8'], ['203.0.113.8']]);
});

test('reads the hosts file before it asks a server', async () => {
  const hostsFile = join(folder, 'hosts');
  await writeFile(hostsFile, '# local\n127.0.0.1 localhost\n192.0.2.1\tHooks.example.org other # old\n::1 localhost\n');
  const lookup = lookupWith({ hostsFile });
  expect(await lookup('hooks.example.org')).toEqual(['192.0.2.1']);
  expect(await lookup('other.')).toEqual(['192.0.2.1']);
  expect(await lookup('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(dns.queries).toEqual([]);
});

test('the system resolves the hosts that the operator allowed', async () => {
  expect(await lookupWith({ allowedHosts: ['localhost'] })('localhost')).toContain('127.0.0.1');
  expect(dns.queries).toEqual([]);
});

let server: Server | undefined;
afterAll(() => void server?.close());

test('refuses private addresses of names that are not allowed, also at a connection with kept addresses', async () => {
  let connections = 0;
  server = createServer((_request, response) => response.end()).on('connection', () => connections++);
  await new Promise<void>((resolve) => server?.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const allowedHosts = ['localhost'];
  const outbound = createOutbound(allowedHosts, createLookup({ allowedHosts, servers: [dns.address] }));
  const post = async (host: string) =>
    (await outbound.post(`http://${host}:${port}/`, {}, '', { timeout: 5000 })).error;
  records = {
    'private.example.org': { addresses: ['127.0.0.1'], ttl: 86_400 },
    'mixed.example.org': { addresses: ['8.8.8.8', '::1'] },
    'absent.example.org': { addresses: [] },
  };
  try {
    for (const host of ['private.example.org', 'private.example.org', 'mixed.example.org']) {
      expect([host, await post(host)]).toEqual([host, 'address not allowed']);
    }
    expect(await post('absent.example.org')).toBe('name not found');
    expect(connections).toBe(0);
    expect(await post('localhost')).toBeNull();
    expect(connections).toBe(1);
  } finally {
    await outbound.close();
  }
});
