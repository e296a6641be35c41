/** A receiver that hangs holds up nobody else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deliveryTimeout } from '../../schemas/webhook.ts';
import { call, create } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let hanging: Receiver;
let quick: Receiver;

beforeAll(async () => {
  [stack, hanging, quick] = await Promise.all([
    startSharedStack({ workerEntry: 'bench/instant.ts' }),
    startReceiver(() => undefined),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([hanging.close(), quick.close()]);
  await stack.stop();
});

const make = async (webhookUrl: string) => {
  const from = Date.now();
  return { id: (await create(stack, { prompt: 'a boat', width: 256, height: 256, webhookUrl })).id, from };
};

const deliveries = async (id: string) => {
  const url = `${stack.baseUrl}/v2/artworks/${id}/deliveries`;
  return (await call<{ items: { durationMs: number }[] }>(url, { key: stack.adminKey })).body.items;
};

/** A worker's places for one host, on both lanes. */
const atOnce = 14;

test('of forty events for a receiver that never answers some try at once, others arrive, and the wait ends after 15 s', async () => {
  const stuck = await Promise.all(Array.from({ length: 40 }, () => make(hanging.url)));
  await eventually(() => expect(hanging.received.length).toBe(atOnce));
  const times: number[] = [];
  for (let index = 0; index < 15; index++) {
    const { id, from } = await make(quick.url);
    const [delivery] = await quick.until(id);
    times.push(delivery!.at - from);
  }
  // The first may be over by now on a busy machine, and the next have begun.
  if (Date.now() - stuck[0]!.from < 14_000) expect(hanging.received.length).toBe(atOnce);
  console.info(`beside 40 hanging deliveries: ${times.sort((a, b) => a - b).join(', ')} ms`);
  // None has waited for a try of the other host to end.
  expect(times.at(-1)).toBeLessThan(deliveryTimeout - 1000);
  // Of whichever was the first: on a busy machine a try that began may be made again, and is recorded then.
  const record = await eventually(async () => {
    const tried = [...new Set(hanging.received.map(({ event }) => event.id))];
    const records = (await Promise.all(tried.map(deliveries))).filter(({ length }) => length > 0);
    expect(records.length).toBeGreaterThan(0);
    return records[0]!;
  }, 30_000);
  expect(record).toMatchObject([{ status: null, error: 'timeout', nextAt: expect.any(String) }]);
  expect(record[0]!.durationMs).toBeGreaterThanOrEqual(14_900);
  // As places become free, the others try.
  await eventually(() => expect(hanging.received.length).toBeGreaterThan(atOnce), 40_000);
});
