/** One API with its maximum of connections, a download that its client does not read, and one that it reads slowly. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { affordableConnections } from '../../runtime/connection-limits.ts';
import { claimPort, type ClaimedPort } from '../../scripts/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { addLargeImage, download } from '../support/large-image.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

const max = affordableConnections(10_000);
let api: FurtherApi;
let metricsPort: ClaimedPort;
const sockets = new Set<Socket>();

beforeAll(async () => {
  metricsPort = await claimPort(0);
  api = await startFurtherApi(await joinService('quick'), { ATELIER_METRICS_PORT: String(metricsPort.port) });
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await api.stop();
  metricsPort.release();
}, 60_000);

async function linesWith(text: string): Promise<Record<string, unknown>[]> {
  const log = await readFile(join(api.dataFolder, `api-${new URL(api.baseUrl).port}.log`), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(text));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the beginning of the response to a request, on a new connection or an open one, and nothing if it is closed. */
async function request(path: string, socket = open()): Promise<string> {
  // A rejected connection ends, or is reset if the request was written before.
  const ended = new Promise<string>((resolve) => {
    socket.once('data', resolve).once('close', () => resolve(''));
  });
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${api.adminKey}\r\n\r\n`);
  return (await ended).slice(0, 12);
}

function open(): Socket {
  const { hostname, port } = new URL(api.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  return socket;
}

test('closes connections beyond the maximum, and serves the others', async () => {
  const first = open();
  expect(await request('/health/live', first)).toBe('HTTP/1.1 200');
  // In batches, because only some hundred connections can wait until the API accepts them.
  while (sockets.size < max) {
    const batch = Array.from({ length: Math.min(100, max - sockets.size) }, () => request('/health/live'));
    expect(new Set(await Promise.all(batch))).toEqual(new Set(['HTTP/1.1 200']));
  }
  const beyond = await Promise.all(Array.from({ length: 50 }, () => request('/health/live')));
  expect(new Set(beyond)).toEqual(new Set(['']));
  expect(await request('/v2/artworks', first)).toBe('HTTP/1.1 200');
  expect(sumOf(await readMetrics(metricsPort.port), 'atelier_connections_rejected_total')).toBe(50);
  const [warning] = await eventually(async () => {
    const lines = await linesWith('Rejected connections');
    expect(lines).toHaveLength(1);
    return lines;
  });
  expect(warning).toMatchObject({ level: 40, max, rejected: 50 });

  for (const socket of sockets) socket.destroy();
  await eventually(async () => expect(await request('/v2/artworks')).toBe('HTTP/1.1 200'));
}, 120_000);

const bytes = 20 * 1024 * 1024;

test('ends a download that is not read for five minutes, and not one of 30 KB per second', async () => {
  const { link, file } = await addLargeImage(api, bytes);
  await writeFile(file, Buffer.alloc(bytes));
  const began = Date.now();
  const unread = await download(link, 'req_unread');
  unread.pause();
  const slow = await download(link, 'req_slow');
  for (const response of [unread, slow]) response.on('error', () => undefined);
  let received = 0;
  slow.on('data', (chunk: Buffer) => {
    received += chunk.length;
    slow.pause();
  });
  const reading = setInterval(() => {
    if (received < 30 * (Date.now() - began)) slow.resume();
  }, 100);
  try {
    // The log has a line when the response has ended.
    const line = await eventually(
      async () => {
        const [found] = await linesWith('req_unread');
        expect(found).toBeDefined();
        return found;
      },
      330_000,
      1000,
    );
    expect(line).toMatchObject({ level: 30, decision: 'unread', route: '/v2/images/:artworkId/:name' });
    expect(Date.now() - began).toBeGreaterThan(140_000);
    // The slow download continues for longer than the unread one did.
    await sleep(30_000);
    expect(await linesWith('req_slow')).toEqual([]);
    expect(received).toBeGreaterThan(4_000_000);
  } finally {
    clearInterval(reading);
    unread.destroy();
    slow.destroy();
  }
}, 500_000);
