/** Attempts of one call that live at the same time: one submits it, the others wait for its result. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { perform } from '../../activities/perform.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { noPermit } from '../../activities/poll-permits.ts';
import { type Engine, type EngineError, type EngineResult } from '../../engines/contract/index.ts';
import { failureOf } from '../../engines/upstream/failures.ts';
import { findArtwork } from '../../store/artworks.ts';
import { findTimeline } from '../../services/timeline.ts';
import { findFailedAttempts } from '../../store/failed-attempts.ts';
import { type CallAtEngine, countSubmission, findJob, renewLease, saveJobId } from '../../store/jobs.ts';
import { findImages } from '../../store/results.ts';
import { eventually } from '../support/eventually.ts';
import { setUpPerform } from './perform-bench.ts';

const bench = setUpPerform();
const never = new AbortController().signal;

/** Returns dependencies with a direct provider. @param respond runs after the request was sent */
function withProvider(respond: (request: number) => Promise<unknown> = () => Promise.resolve()) {
  let requests = 0;
  let pings = 0;
  const engine: Engine = {
    name: 'provider',
    tasks: ['text-to-image'],
    async run(_call, { remote }): Promise<EngineResult> {
      await remote!.acquireSlot();
      await respond(++requests);
      const image = { bytes: randomBytes(2000), contentType: 'image/png', width: 64, height: 64, seed: null } as const;
      return { model: 'test/provider', images: [image] };
    },
    ping: () => Promise.resolve(void pings++),
    close: () => Promise.resolve(),
  };
  const deps = bench.dependencies(engine, { limits: {}, isDirect: true });
  return { deps, requests: () => requests, pings: () => pings };
}

const run = (deps: Dependencies, id: string, signals = { attempt: never, call: never, canceled: never }, attempt = 1) =>
  perform(deps, { id, callId: 'image-1', attempt, permit: noPermit, timeout: 60_000 }, signals);
const errorOf = (running: Promise<void>) =>
  running.then(
    () => null,
    (error: unknown) => error,
  );
const at = (artwork: string): CallAtEngine => ({ artwork, call: 'image-1', engine: 'provider' });

/** Counts a submission, as a worker does that dies before the provider responds. */
async function countAbandonedSubmission(artwork: string, { lease = -1000 } = {}): Promise<void> {
  const earlier = (await findJob(bench.db, at(artwork)))?.submissions ?? 0;
  const submission = { model: 'selena', submittedAt: new Date(), earlier, charge: 1, lease } as const;
  expect(await countSubmission(bench.db, at(artwork), submission)).toBe('counted');
}

test('an attempt waits for the submission of an attempt that Temporal has given up', async () => {
  const id = await bench.artwork();
  const response = Promise.withResolvers<void>();
  const { deps, requests } = withProvider(() => response.promise);
  const givenUp = new AbortController();
  const first = run(deps, id, { attempt: givenUp.signal, call: never, canceled: never });
  await eventually(() => expect(requests()).toBe(1));
  givenUp.abort();
  const second = run(deps, id, undefined, 2);
  await delay(500);
  response.resolve();
  await Promise.all([first, second]);
  expect(requests()).toBe(1);
  expect(await findImages(bench.db, id)).toHaveLength(1);
});

test('concurrent attempts submit a call once', async () => {
  const id = await bench.artwork();
  const { deps, requests } = withProvider(() => delay(200));
  const errors = await Promise.all(Array.from({ length: 6 }, () => errorOf(run(deps, id))));
  expect(requests()).toBe(1);
  const taken = errors.filter((error) => error !== null);
  for (const error of taken)
    expect(error).toMatchObject({ code: 'provider_unavailable', holdsJob: true, isFinal: false });
  expect(await findImages(bench.db, id)).toHaveLength(1);
  expect(await findFailedAttempts(bench.db, id)).toEqual([]);
});

test('an attempt that was frozen before its request does not send it when another attempt has submitted the call', async () => {
  const id = await bench.artwork();
  const { deps, requests } = withProvider();
  // Between the reads and the count of the first attempt, another one submits the call, and its worker dies.
  const catalogue = {
    ...deps.catalogue,
    engine: async (name: string) => {
      await countAbandonedSubmission(id);
      return deps.catalogue.engine(name);
    },
  };
  expect(await errorOf(run({ ...deps, catalogue }, id))).toMatchObject({ holdsJob: true });
  expect(requests()).toBe(0);
});

test('a call whose worker has died is submitted again; the timeline and a metric show it', async () => {
  const id = await bench.artwork();
  await countAbandonedSubmission(id);
  const { deps, requests, pings } = withProvider();
  await run(deps, id, undefined, 2);
  expect([requests(), pings()]).toEqual([1, 1]);
  const timeline = await findTimeline(bench.db, (await findArtwork(bench.db, id))!);
  expect(timeline.map(({ name, submissions }) => [name, submissions])).toEqual([
    ['queue', null],
    ['image-1', 2],
  ]);
  const { values } = await deps.metrics.repeatedSubmissions.get();
  expect(values).toEqual([{ labels: { engine: 'provider', model: 'selena' }, value: 1 }]);
});

test('a call that ends its worker each time fails after three submissions, and says so', async () => {
  const id = await bench.artwork();
  for (let death = 0; death < 3; death++) await countAbandonedSubmission(id);
  const { deps, requests } = withProvider();
  expect(await errorOf(run(deps, id, undefined, 4))).toMatchObject({
    code: 'internal_error',
    isFinal: true,
    message: 'The worker died during this call, after 3 submissions to provider. Check its memory limit.',
  });
  expect(requests()).toBe(0);
});

test('submissions that a provider refuses are not charged for, and those without a response at most three times', async () => {
  const id = await bench.artwork();
  const failures = ['rate-limited', 'server-error', 'connection-refused', 'connection-closed', 'server-error'] as const;
  const { deps, requests } = withProvider((request) =>
    Promise.reject(failureOf('provider', failures[request - 1] ?? 'connection-closed')),
  );
  const errors: unknown[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) errors.push(await errorOf(run(deps, id, undefined, attempt)));
  expect(errors.map((error) => (error as EngineError).isFinal)).toEqual([...Array<boolean>(6).fill(false), true]);
  expect(requests()).toBe(7);
  expect(await findJob(bench.db, at(id))).toMatchObject({ submissions: 7, charges: 3 });
});

test('makes the third unexpected error final, at any number of the attempt', async () => {
  const id = await bench.artwork();
  const { deps } = withProvider(() => Promise.reject(new TypeError('a bug')));
  const catalogue = { ...deps.catalogue, engine: () => Promise.reject(new TypeError('a bug')) };
  const errors: unknown[] = [];
  for (const attempt of [7, 8, 9]) errors.push(await errorOf(run({ ...deps, catalogue }, id, undefined, attempt)));
  expect(errors).toMatchObject([{ isFinal: false }, { isFinal: false }, { isFinal: true, code: 'internal_error' }]);
});

test('no attempt submits a call whose lease was renewed late, or whose job or result was stored late', async () => {
  const count = (id: string) =>
    countSubmission(bench.db, at(id), { model: 'selena', submittedAt: new Date(), earlier: 1, charge: 1, lease: 1000 });
  const [renewed, stored, made] = [await bench.artwork(), await bench.artwork(), await bench.artwork()];
  for (const id of [renewed, stored]) await countAbandonedSubmission(id);
  expect(await renewLease(bench.db, at(renewed), { submissions: 1, lease: 30_000 })).toBe(true);
  const job = { remoteId: 'job-1', submittedAt: new Date(), submittedTo: null };
  expect(await saveJobId(bench.db, at(stored), 1, job)).toBe('saved');
  await run(withProvider().deps, made);
  expect([await count(renewed), await count(stored), await count(made)]).toEqual(['taken', 'taken', 'ended']);
  expect(await findJob(bench.db, at(stored))).toMatchObject({ remoteId: 'job-1', submissions: 1 });
});
