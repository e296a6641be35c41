/** What receivers can do to a try, through the whole service: every kind of answer, and none, slow, endless or broken. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, create } from '../support/client.ts';
import { selfSigned } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const hour = 3_600_000;
let stack: Stack;
let plain: Server;
let tls: Server;
const timers: NodeJS.Timeout[] = [];
/** What the receiver of the endless body could get rid of before it was hung up on. */
let drained: number | null = null;

const every = (pause: number, work: () => void) => void timers.push(setInterval(work, pause).unref());

const manners: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  never: () => undefined,
  late: (response) => void setTimeout(() => response.end('at last'), 2000),
  'slow-headers': (_response, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(500, () => void (socket.writable && socket.write(`x-${Date.now()}: y\r\n`)));
  },
  'slow-body': (response) => every(200, () => void response.write('.')),
  'slow-refusal': (response) => {
    response.writeHead(500);
    every(200, () => void response.write('.'));
  },
  endless(response, { socket }) {
    const more = () => void (response.write('x'.repeat(64_000)) ? setImmediate(more) : response.once('drain', more));
    socket.once('close', () => (drained = socket.bytesWritten));
    more();
  },
  broken: (response, { socket }) => {
    response.writeHead(200, { 'content-length': 1000 }).write('not all');
    setTimeout(() => socket.destroy(), 50);
  },
  reset: (_response, { socket }) => void socket.resetAndDestroy(),
  garbage: (_response, { socket }) => void socket.end('HTTP/9.9 what\r\n\r\n'),
};

beforeAll(async () => {
  plain = createServer((request, response) => {
    request.resume();
    const name = (request.url ?? '').slice(1);
    const manner = manners[name];
    if (manner) return manner(response, request);
    response.writeHead(Number(name), { location: '/never' }).end();
  });
  tls = createTlsServer(selfSigned('localhost'), (_request, response) => void response.end());
  await Promise.all([plain, tls].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const env = { ATELIER_WEBHOOK_SCHEDULE: '0s,1h' };
  stack = await startSharedStack({ workerEntry: 'bench/instant.ts', env });
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  await stack.stop();
  for (const server of [plain, tls]) {
    server.closeAllConnections();
    server.close();
  }
});

const addressOf = (server: Server, path: string) => {
  const scheme = server === tls ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
};

interface Expected {
  status: number | null;
  error: string | null;
  /** Whether no more tries follow. */
  final?: boolean;
  /** Milliseconds that the try takes, from and to. */
  from?: number;
  to?: number;
}

const received = (...statuses: number[]) =>
  statuses.map((status): [string, Expected] => [String(status), { status, error: null, final: true }]);
const failed = (words: (status: number) => string, ...statuses: number[]) =>
  statuses.map((status): [string, Expected] => [String(status), { status, error: words(status) }]);

const cases: [string, Expected][] = [
  ...received(200, 201, 202, 203, 204, 206, 226, 299),
  ...failed(() => 'redirects are not followed', 300, 301, 302, 303, 304, 307, 308),
  ...failed((status) => `the receiver answered ${status}`, 400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 451),
  ...failed((status) => `the receiver answered ${status}`, 500, 501, 502, 503, 504, 599),
  ['410', { status: 410, error: 'the receiver wants no more tries', final: true }],
  ['never', { status: null, error: 'timeout', from: 14_900, to: 25_000 }],
  ['slow-headers', { status: null, error: 'timeout', from: 14_900, to: 25_000 }],
  ['late', { status: 200, error: null, final: true, from: 1900 }],
  // What the receiver has said counts, whatever becomes of the rest; nobody waits for that for long.
  ['slow-body', { status: 200, error: null, final: true, to: 10_000 }],
  ['slow-refusal', { status: 500, error: 'the receiver answered 500', to: 10_000 }],
  ['endless', { status: 200, error: null, final: true, to: 10_000 }],
  ['broken', { status: 200, error: null, final: true }],
  ['reset', { status: null, error: 'connection closed' }],
  ['garbage', { status: null, error: 'no valid answer' }],
];

interface Try {
  attempt: number;
  at: string;
  status: number | null;
  error: string | null;
  durationMs: number;
  nextAt: string | null;
}

/** The one try at a receiver. */
async function tried(webhookUrl: string): Promise<Try> {
  const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256, webhookUrl });
  return eventually(async () => {
    const url = `${stack.baseUrl}/v2/artworks/${id}/deliveries`;
    const { items } = (await call<{ items: Try[] }>(url, { key: stack.adminKey })).body;
    expect(items).toHaveLength(1);
    return items[0]!;
  }, 50_000);
}

function expectTry(name: string, one: Try, { status, error, final = false, from = 0, to = Infinity }: Expected): void {
  expect({ name, status: one.status, error: one.error }).toEqual({ name, status, error });
  expect(one.durationMs).toBeGreaterThanOrEqual(from);
  expect(one.durationMs).toBeLessThanOrEqual(to);
  if (final) return expect([name, one.nextAt]).toEqual([name, null]);
  const wait = Date.parse(one.nextAt ?? '') - Date.parse(one.at) - one.durationMs;
  expect(wait).toBeGreaterThanOrEqual(hour);
  expect(wait).toBeLessThanOrEqual(1.1 * hour + 1);
}

test('every answer, and none', async () => {
  const tries = await Promise.all(cases.map(async ([name]) => tried(addressOf(plain, name))));
  for (const [index, [name, expected]] of cases.entries()) expectTry(name, tries[index]!, expected);
  // What the kernel takes for us is on top of the 64 KB that are read.
  expect(drained).toBeLessThan(16 * 1024 * 1024);
});

test('a certificate that nobody vouches for, and none at all', async () => {
  expectTry('tls', await tried(addressOf(tls, '')), { status: null, error: 'certificate not accepted' });
  const noTls = addressOf(plain, '200').replace('http:', 'https:');
  expectTry('no tls', await tried(noTls), { status: null, error: 'no valid answer' });
});
