/** Creations whose images the object storage takes slowly: up to the longest write, while the API stops, and in parts. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { call, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { bomb } from '../support/pictures.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestStore, type TestStore } from '../support/s3.ts';
import { startSharedStack } from '../support/shared.ts';
import { type FurtherApi, type Stack, startFurtherApi } from '../support/stack.ts';

// The first run on a machine builds the S3 server for minutes.
jest.setTimeout(900_000);

const largest = 20 * 1024 * 1024;
/** Milliseconds: longer than the timeout of a small write by far, and shorter than that of the largest one (7.2 s). */
const slowest = 6300;

let store: TestStore;
let proxy: Server;
let stack: Stack;
let api: FurtherApi;
/** Returns the milliseconds that a write takes, or null to reject it. */
let pace: (bytes: number) => number | null;
/** Writes of images of requests that have begun, and those that have not ended. */
let begun = 0;
let pending = 0;

beforeAll(async () => {
  store = await startTestStore();
  proxy = await startProxy();
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  stack = await startSharedStack({ env: { ...store.env, AWS_ENDPOINT_URL_S3: endpoint } });
});
beforeEach(async () => {
  begun = 0;
  api = await startFurtherApi(stack, {});
});
afterEach(() => api.stop());
afterAll(async () => {
  await stack.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await store.stop();
});

async function startProxy(): Promise<Server> {
  const forward = (incoming: IncomingMessage) =>
    request(`${store.endpoint}${incoming.url}`, { method: incoming.method, headers: incoming.headers });
  const server = createServer((incoming, response) => {
    const outgoing = forward(incoming);
    outgoing.on('error', () => response.destroy());
    outgoing.once('response', (real) => {
      response.writeHead(real.statusCode ?? 0, real.headers);
      void pipeline(real, response).catch(() => response.destroy());
    });
    if (incoming.method !== 'PUT' || !incoming.url?.includes('/input.'))
      return void pipeline(incoming, outgoing).catch(() => response.destroy());
    begun++;
    pending++;
    const time = pace(Number(incoming.headers['content-length']));
    if (time === null) {
      pending--;
      incoming.resume();
      outgoing.destroy();
      return void response.writeHead(403).end();
    }
    void pipeline(incoming, paced(incoming, time), outgoing).catch(() => response.destroy());
    response.once('close', () => pending--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Passes a body on evenly over the time. */
function paced({ headers }: IncomingMessage, time: number) {
  const size = Number(headers['content-length']);
  const began = performance.now();
  let received = 0;
  return async function* (body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      received += chunk.byteLength;
      await delay(began + (time * received) / size - performance.now());
      yield chunk;
    }
  };
}

/** Returns an image as a data URI. It has a header and no pixels, which is enough for the API. */
function picture(bytes: number, width: number): string {
  const header = bomb(width, 1000);
  return `data:image/png;base64,${Buffer.concat([header, Buffer.alloc(bytes - header.byteLength)]).toString('base64')}`;
}

const post = (operation: string, body: object) =>
  call(`${api.baseUrl}/v2/artworks/${operation}`, { method: 'POST', key: api.adminKey, body });

test('accepts the largest image at the slowest rate', async () => {
  pace = () => slowest;
  const began = performance.now();
  const { status, body } = await post('depth-map', { image: picture(largest, 1000) });
  console.info(`${status} after ${Math.round(performance.now() - began)} ms`);
  expect(status).toBe(202);
  expect((await read(stack, String(body['id']))).id).toBe(body['id']);
});

test('completes such a request when the API stops meanwhile', async () => {
  pace = () => slowest;
  const response = post('depth-map', { image: picture(largest, 1000) });
  await eventually(() => expect(begun).toBe(1));
  process.kill(api.pid, 'SIGTERM');
  expect((await response).status).toBe(202);
});

test('waits for all writes before it reports a failed one, and removes what they have written', async () => {
  pace = (bytes) => (bytes > 300_000 ? 1500 : null);
  const inputs = async () => (await store.list('test/art_')).filter((key) => key.includes('/input.'));
  const before = await inputs();
  const images = { sourceImage: picture(600_000, 1000), targetImage: picture(200_000, 900) };
  expectProblem(await post('face-swap', images), 'unavailable');
  expect([begun, pending]).toEqual([2, 0]);
  const added = async () => (await inputs()).filter((key) => !before.includes(key));
  expect(await added()).toHaveLength(1);
  await eventually(async () => expect(await added()).toEqual([]), 60_000);
});
