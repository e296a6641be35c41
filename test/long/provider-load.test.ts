/** A hundred artworks at once: the rate of a provider holds over all workers, and one organization's burst starves no other. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Accepted } from '../../schemas/artwork.ts';
import { create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { inBatches } from '../support/in-batches.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { createTestOrganization } from '../support/test-organization.ts';
import { timed } from '../support/timed.ts';
import { type FalAlone, startFalAlone } from '../upstreams/fal-alone.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

jest.setTimeout(180_000);

const perSecond = 5;
/** A service and a key of one of its organizations. */
type Keyed = Pick<Stack, 'baseUrl' | 'adminKey'>;

let limited: FalAlone;
let common: UpstreamFake;
let stack: Stack;
/** Another organization, which creates its artworks last. */
let late: Keyed;
let onLimited: Accepted[];
let onCommon: Accepted[];
let ofLate: Accepted[];

beforeAll(async () => {
  [limited, common] = await Promise.all([startFalAlone(apiKey), startFal({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: {
      limited: at('fal', limited, { perSecond }),
      common: at('fal', common, { perSecond }),
    },
    models: {
      selena: [{ ...flux, engine: 'limited' }],
      hamilton: [{ ...flux, engine: 'common' }],
    },
  });
  stack = await startSharedStack({ workers: 0, ...timed({}, env) });
  late = await withOtherOrganization();
  // The calls of the first hundred take twenty seconds at this rate, during which the test of fairness runs.
  onLimited = await createAll(100, 'selena');
  onCommon = await createAll(100, 'hamilton');
  ofLate = await createAll(5, 'hamilton', late);
  // The workers start when all artworks are waiting, so that it does not matter how long the creations took.
  await Promise.all(Array.from({ length: 3 }, () => stack.startWorker()));
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([limited.close(), common.close()]);
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };

/** Returns the service with a key of another organization. */
async function withOtherOrganization(): Promise<Keyed> {
  const db = openTestDatabase(stack.databaseUrl);
  const { orgId } = await createTestOrganization(db, stack.secret);
  const { apiKey } = await createTestKey(db, { orgId });
  await db.close();
  return { baseUrl: stack.baseUrl, adminKey: apiKey };
}

const createAll = (count: number, operation: string, service: Keyed = stack) =>
  inBatches(Array<string>(count).fill(operation), (name) => create(service, body, name));

/** Returns the largest number of times within any `seconds`. */
function maxWithin(seconds: number, times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + seconds * 1000).length));
}

test('100 artworks of one organization do not delay 5 of another', async () => {
  const finished = await Promise.all(ofLate.map(({ id }) => ended(late, id, 120_000)));
  expect(finished.map(({ status }) => status)).toEqual(Array(5).fill('SUCCEEDED'));
  const last = finished
    .map(({ finishedAt }) => finishedAt!)
    .sort()
    .at(-1)!;
  const states = await Promise.all(onCommon.map(({ id }) => read(stack, id)));
  // In a common queue, all of the hundred would have ended first.
  expect(states.filter(({ finishedAt }) => finishedAt === null || finishedAt > last).length).toBeGreaterThan(30);
});

test('three workers together keep to the rate in any ten seconds', async () => {
  for (const { id } of onLimited) expect((await ended(stack, id, 120_000)).status).toBe('SUCCEEDED');
  const times = await limited.submittedAt();
  expect(times.length).toBeGreaterThanOrEqual(100);
  // Calls start at the rate. On a busy machine, one can take up to a second longer than the next to arrive.
  expect(maxWithin(10, times)).toBeLessThanOrEqual(perSecond * (10 + 1) + 1);
});
