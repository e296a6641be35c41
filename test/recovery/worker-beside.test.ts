/** One of two workers dies or freezes: the other goes on at once, and what the first still does changes nothing. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { progress } from '../support/progress.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { expectWhole } from '../support/whole.ts';
import { startWire, type Wire } from '../support/wire.ts';

let stack: Stack;
let receiver: Receiver;
let wire: Wire;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  answer = (response) => response.end();
  [stack, receiver] = await Promise.all([startSharedStack(), startReceiver((response) => answer(response))]);
  wire = await startWire(stack.databaseUrl);
});
afterEach(() => {
  answer = (response) => response.end();
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const make = (count: number, size: number) => {
  const body = { prompt: 'a boat on a lake', width: size, height: size, webhookUrl: receiver.url };
  return Promise.all(Array.from({ length: count }, async () => (await create(stack, body)).id));
};

test('killed while pictures are drawn', async () => {
  const doomed = await stack.startWorker();
  const ids = await make(6, 1024);
  await eventually(async () => {
    const states = await Promise.all(ids.map(async (id) => (await read(stack, id)).status));
    expect(states).not.toContain('STARTING');
  });
  const watch = await progress(stack);
  process.kill(doomed.pid, 'SIGKILL');
  const first = await watch.first();
  await expectWhole(stack, receiver, ids, { deliveries: 2 });
  console.info(`killed beside another while drawing: on after ${first} ms, all after ${watch.elapsed()} ms`);
});

test('killed while a receiver holds its answer: delivered again, the same bytes', async () => {
  const first = Promise.withResolvers<void>();
  const held: ServerResponse[] = [];
  answer = (response) => {
    held.push(response);
    first.resolve();
  };
  const doomed = stack.workers.pop()!;
  const ids = await make(1, 256);
  await first.promise;
  answer = (response) => response.end();
  process.kill(doomed.pid, 'SIGKILL');
  const killedAt = Date.now();
  stack.workers.push(await stack.startWorker());
  const again = await receiver.until(ids[0]!, 2);
  console.info(`killed during deliver: delivered again after ${again[1]!.at - killedAt} ms`);
  await expectWhole(stack, receiver, ids, { deliveries: 2 });
  for (const response of held) response.destroy();
});

test('frozen before it keeps a result, and woken when all is over: nothing changes', async () => {
  const env = { DATABASE_URL: wire.url };
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  const frozen = await stack.startWorker(env);
  const held = wire.holdAt({ statement: /insert into "call_result"|for share/, hold: 'statement' });
  const [id = ''] = await make(1, 256);
  await held.reached;
  process.kill(frozen.pid, 'SIGSTOP');
  stack.workers.push(await stack.startWorker());
  await expectWhole(stack, receiver, [id]);
  const { images } = await read(stack, id);
  held.release();
  process.kill(frozen.pid, 'SIGCONT');
  await delay(1500);
  expect((await read(stack, id)).images).toEqual(images);
  expect((await fetch(images[0]!.url)).status).toBe(200);
  expect(await readdir(join(stack.dataFolder, 'images', id))).toHaveLength(1);
  expect((await call(`${stack.baseUrl}/health`)).status).toBe(200);
  await frozen.stop();
});
