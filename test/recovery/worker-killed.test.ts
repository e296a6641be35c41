/** A worker is killed at every point of an artwork's way; its replacement goes on, and nothing is lost or made twice. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { create } from '../support/client.ts';
import { progress } from '../support/progress.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { expectWhole } from '../support/whole.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

const inFlight = 6;
let stack: Stack;
let receiver: Receiver;
let wire: Wire;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([startSharedStack({ workers: 0 }), startReceiver()]);
  wire = await startWire(stack.databaseUrl);
});
afterEach(() => Promise.all(stack.workers.splice(0).map((worker) => worker.stop())));
afterAll(async () => {
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const points: Record<string, Point> = {
  'in begin': { statement: /set .*"started_at" = /, hold: 'statement' },
  'in perform, the result not yet kept': { statement: /insert into "call_result"/, hold: 'statement' },
  'in perform, the result just kept': { after: /insert into "call_result"/, statement: /commit/, hold: 'answer' },
  'in finish, nothing written': { statement: /set .*"finished_at" = /, hold: 'statement' },
  'between finish and deliver': { after: /"finished_at" = /, statement: /commit/, hold: 'answer' },
  'in deliver, nothing sent': { statement: /from "organization"/, hold: 'statement' },
};

test('a try that was recorded is not made again by the replacement', async () => {
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const held = wire.holdAt({ statement: /insert into "delivery"/, hold: 'answer' });
  const ids = await createAll(1);
  await held.reached;
  process.kill(doomed.pid, 'SIGKILL');
  stack.workers.push(await stack.startWorker());
  await expectWhole(stack, receiver, ids, { deliveries: 1 });
  held.release();
});

test.each(Object.entries(points))('killed %s', async (name, point) => {
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const held = wire.holdAt(point);
  const ids = await createAll(inFlight);
  await held.reached;
  const watch = await progress(stack);
  process.kill(doomed.pid, 'SIGKILL');
  const replaced = stack.startWorker().then((worker) => stack.workers.push(worker) && watch.elapsed());
  try {
    const first = await watch.first();
    // Where others were just being delivered to, their receiver's answer may have been lost.
    await expectWhole(stack, receiver, ids, { deliveries: 2 });
    console.info(`${name}: replaced after ${await replaced} ms, on after ${first} ms, all after ${watch.elapsed()} ms`);
    // On an idle machine it is two to four seconds; nothing that would be forgotten comes back so soon.
    expect(first).toBeLessThan(30_000);
  } finally {
    held.release();
  }
});

async function createAll(count: number): Promise<string[]> {
  const body = { prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url };
  const made = await Promise.all(Array.from({ length: count }, () => create(stack, body)));
  return made.map(({ id }) => id);
}
