/** Which jobs become obsolete, and the end of the requests to a provider that confirms nothing. */
import { expect, test } from '@jest/globals';
import { giveUpJobs } from '../../activities/obsolete-jobs.ts';
import { perform } from '../../activities/perform.ts';
import { noPermit } from '../../activities/poll-permits.ts';
import type { Engine, Remote } from '../../engines/contract/index.ts';
import { countSubmission } from '../../store/jobs.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import { setUpPerform } from './perform-bench.ts';

const bench = setUpPerform();
const never = new AbortController().signal;
const submittedTo = { model: 'owner/model', label: 'owner/model', output: { images: '/*', seed: null } };

/** Runs a call whose provider responds with a job after `meanwhile`. Returns whether the job was stored. */
async function submit(id: string, job: string, isShared: boolean, meanwhile: () => Promise<unknown>): Promise<boolean> {
  let isStored = false;
  const engine: Engine = {
    name: 'queue',
    tasks: ['text-to-image'],
    async run(_call, { remote }) {
      const { acquireSlot, saveJob }: Remote = remote!;
      await acquireSlot();
      await meanwhile();
      isStored = (await saveJob({ id: job, submittedTo, isShared })) !== null;
      throw new Error('the test needs no result');
    },
    close: () => Promise.resolve(),
  };
  const signals = { attempt: never, call: never, canceled: never };
  const attempt = { id, callId: 'image-1', attempt: 1, permit: noPermit, timeout: 60_000 };
  await perform(bench.dependencies(engine, { limits: {} }), attempt, signals).catch(() => undefined);
  return isStored;
}

const obsolete = async () =>
  (await bench.db.em().execute<{ remote_id: string }[]>('select remote_id from obsolete_job order by remote_id')).map(
    (row) => row.remote_id,
  );

/** Submits the call as another attempt, after the lease of the first has expired. */
const takeOver = async (artwork: string) => {
  await bench.db.em().execute('update job set leased_until = null where artwork_id = ?', [artwork]);
  const next = { model: 'selena', submittedAt: new Date(), earlier: 1, charge: 1, lease: 60_000 } as const;
  expect(await countSubmission(bench.db, { artwork, call: 'image-1', engine: 'queue' }, next)).toBe('counted');
};

test('a job whose id arrives too late is obsolete, unless another attempt has the same job', async () => {
  const [deleted, taken, shared, stored] = [
    await bench.artwork(),
    await bench.artwork(),
    await bench.artwork(),
    await bench.artwork(),
  ];
  const stores = [
    await submit(deleted, 'deleted', true, () => eraseArtwork(bench.db, deleted, new Date())),
    await submit(taken, 'taken', false, () => takeOver(taken)),
    await submit(shared, 'shared', true, () => takeOver(shared)),
    await submit(stored, 'stored', false, () => Promise.resolve()),
  ];
  expect(stores).toEqual([false, false, false, true]);
  expect(await obsolete()).toEqual(['deleted', 'taken']);
});

test('the deletion of an artwork makes its open job obsolete, and the end of the repetition is counted', async () => {
  const id = await bench.artwork();
  await submit(id, 'open', false, () => Promise.resolve());
  expect(await obsolete()).not.toContain('open');
  await eraseArtwork(bench.db, id, new Date());
  expect(await obsolete()).toContain('open');
  await bench.db.em().execute(`update obsolete_job set give_up_at = clock_timestamp() where remote_id = 'open'`);
  const deps = bench.dependencies({
    name: 'queue',
    tasks: [],
    run: () => Promise.reject(new Error()),
    close: () => Promise.resolve(),
  });
  await giveUpJobs(deps);
  expect(await obsolete()).not.toContain('open');
  expect((await deps.metrics.undiscardedJobs.get()).values).toEqual([{ labels: { engine: 'queue' }, value: 1 }]);
});
