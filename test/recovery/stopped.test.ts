/** SIGTERM: processes end what they are doing, in bounded time and with exit code 0, and others take over the rest. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { expectWhole } from '../support/whole.ts';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([startSharedStack(), startReceiver()]);
});
afterAll(async () => {
  await stack.stop();
  await receiver.close();
});

/** Less than its starter waits before it kills. */
const bounded = 15_000;

test('API and worker stop in the middle of artworks, and nothing is lost', async () => {
  const [api, worker] = [stack.apis[0]!, stack.workers[0]!];
  const body = { prompt: 'a boat on a lake', width: 1024, height: 1024, webhookUrl: receiver.url };
  const accepted = (await Promise.all(Array.from({ length: 6 }, () => create(stack, body)))).map(({ id }) => id);
  // One is done, so the others are in the middle of their drawing, finishing or delivery.
  await eventually(async () => expect((await read(stack, accepted[0]!)).status).toBe('SUCCEEDED'));
  // Requests go on while the API stops: each is either accepted, and then kept, or refused.
  const client = (async () => {
    for (;;) {
      const made = await create(stack, { ...body, width: 256, height: 256 }).catch(() => null);
      if (!made) return;
      accepted.push(made.id);
      await delay(20);
    }
  })();
  await delay(100);
  const start = Date.now();
  for (const { pid } of [api, worker]) process.kill(pid, 'SIGTERM');
  const exits = await Promise.all([api.exited, worker.exited]);
  const took = Date.now() - start;
  expect(exits).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
  expect(took).toBeLessThan(bounded);
  await client;
  console.info(`stopped after ${took} ms with ${accepted.length} artworks in flight`);
  await Promise.all([stack.startApi(), stack.startWorker()]);
  // A clean stop lets every delivery end: none is repeated.
  await expectWhole(stack, receiver, accepted);
});
