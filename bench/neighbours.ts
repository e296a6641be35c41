/** Measures a quiet organization alone, then beside one that sends more than its limits allow. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Accepted } from '../schemas/artwork.ts';
import { sendFlood } from '../test/support/flood/flood.ts';
import { httpRequest } from '../test/support/flood/hostile-requests.ts';
import { openTestDatabase } from '../test/support/open-database.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { type Stack, startStack } from '../test/support/stack.ts';
import { createTestKey } from '../test/support/test-key.ts';
import { createTestOrganization } from '../test/support/test-organization.ts';
import { type Backends, serversOf } from './backends.ts';
import { median, printFigures, printTimes, summarize } from './figures.ts';
import { atFixedTimes } from './fixed-times.ts';

/** Each busy round has a new organization, whose rates begin at 0. */
const rounds = 2;
const restSeconds = 30;
/** One window of the rates. */
const busySeconds = 60;
/** Requests per second of the quiet organization. */
const quiet = { creations: 3, reads: 10 };
/** Creations per second of the busy organization. It may send 1,200 in a minute. */
const busyRate = 200;
/** Maximum milliseconds for a delivery. */
const longestDelivery = 120_000;

const labels = { accepted: '202', read: 'GET artwork', webhook: 'accepted → webhook' } as const;
type Measured = keyof typeof labels;
const measured = Object.keys(labels) as Measured[];

interface Times {
  accepted: number[];
  read: number[];
  webhook: number[];
  /** Requests without the expected status, which are excluded from the times. */
  failed: number;
}

export async function benchNeighbours(backends: Backends): Promise<void> {
  const receiver = await startReceiver();
  const busyReceiver = await startReceiver();
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    // The defaults of the service. Those of tests are so high that they limit nothing.
    env: { ATELIER_LOG_LEVEL: 'warn', ATELIER_RATE_CREATIONS: '600', ATELIER_RATE_OTHERS: '3000' },
  });
  const db = openTestDatabase(stack.databaseUrl);
  const rest: Times[] = [];
  const busy: Times[] = [];
  try {
    await measure(stack, receiver, 10);
    for (let round = 1; round <= rounds; round++) {
      rest.push(await measure(stack, receiver, restSeconds));
      const { orgId } = await createTestOrganization(db, stack.secret);
      const keys = [await createTestKey(db, { orgId }), await createTestKey(db, { orgId })];
      const began = performance.now();
      const creation = { prompt: 'a harbour in the fog', webhookUrl: busyReceiver.url };
      const requests = keys.map(({ apiKey }) =>
        httpRequest('POST /v2/artworks/selena', { from: '203.0.113.9', authorization: `Bearer ${apiKey}` }, creation),
      );
      const flood = { baseUrl: stack.baseUrl, perSecond: busyRate, seconds: busySeconds, requests };
      const [times, { statuses }] = await Promise.all([measure(stack, receiver, busySeconds), sendFlood(flood)]);
      busy.push(times);
      // The next rest begins when the artworks of the busy organization have ended.
      const accepted = statuses['202'] ?? 0;
      while (busyReceiver.received.length < accepted) await delay(100);
      busyReceiver.received.length = 0;
      const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      const ended = ((performance.now() - began) / 1000).toFixed(0);
      printFigures({
        [`busy organization, round ${round}`]: `${counts.join(', ')}, in ${ended} s`,
        [`failures of the quiet one, round ${round}`]: String(times.failed),
      });
    }
  } finally {
    await db.close();
    await stack.stop();
    await Promise.all([receiver.close(), busyReceiver.close()]);
  }
  printTimes(
    Object.fromEntries(
      measured.flatMap(
        (name) =>
          Array.from({ length: rounds }, (_, round) => [
            [`${labels[name]}, at rest ${round + 1}`, rest[round]?.[name] ?? []],
            [`${labels[name]}, busy ${round + 1}`, busy[round]?.[name] ?? []],
          ]).flat() as [string, number[]][],
      ),
    ),
  );
  const p95 = (measurements: Times[], name: Measured) =>
    median(measurements.map((times) => summarize(times[name]).p95));
  const ratio = (name: Measured) => {
    const [calm, loaded] = [p95(rest, name), p95(busy, name)];
    return `${calm.toFixed(1)} → ${loaded.toFixed(1)} ms (× ${(loaded / calm).toFixed(2)})`;
  };
  printFigures(Object.fromEntries(measured.map((name) => [`p95, ${labels[name]}`, ratio(name)])));
}

/** Sends the requests of the quiet organization. Measures each from the time when it should have been sent. */
async function measure(stack: Stack, receiver: Receiver, seconds: number): Promise<Times> {
  const agent = new Agent();
  const times: Times = { accepted: [], read: [], webhook: [], failed: 0 };
  const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk', webhookUrl: receiver.url });
  /** Returns the body, or null if the status is another one. */
  const send = async <T>(
    path: string,
    status: number,
    options: { method: 'GET' } | { method: 'POST'; body: string },
  ) => {
    const response = await request(`${stack.baseUrl}/v2/${path}`, { dispatcher: agent, headers, ...options });
    const json = (await response.body.json()) as T;
    return response.statusCode === status ? json : null;
  };
  const post = () => send<Accepted>('artworks/selena', 202, { method: 'POST', body }).catch(() => null);
  const create = async (_nth: number, due: number) => {
    const created = await post();
    if (!created) return void (times.failed += 1);
    const accepted = Date.now();
    times.accepted.push(performance.now() - due);
    const [delivered] = await receiver.until(created.id, 1, longestDelivery);
    times.webhook.push(Math.max((delivered?.at ?? accepted) - accepted, 0));
  };
  const earlier = await post();
  if (!earlier) throw new Error('The first creation failed.');
  const read = async (_nth: number, due: number) => {
    const artwork = await send(`artworks/${earlier.id}`, 200, { method: 'GET' }).catch(() => null);
    if (artwork) times.read.push(performance.now() - due);
    else times.failed += 1;
  };
  await Promise.all([atFixedTimes(quiet.creations, seconds, create), atFixedTimes(quiet.reads, seconds, read)]);
  await agent.close();
  return times;
}
