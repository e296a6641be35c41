/** Measures a healthy provider with more calls than slots: does it count as down, is it busy, and is the order fair? */
import { displacements, saturate } from '../test/support/saturate.ts';
import { type Backends, serversOf } from './backends.ts';
import { printFigures, summarize } from './figures.ts';

const calls = { first: 150, other: 50 };
const concurrent = 2;
/** Milliseconds. Calls that wait outside the provider's queue would give up within the run. */
const jobTime = 2000;

export async function benchSaturation(backends: Backends): Promise<void> {
  for (const workers of [1, 8]) {
    const saturation = await saturate(serversOf(backends), { workers, concurrent, jobTime, calls });
    const { ended, failedAttempts, mostRunning, submissions, took } = saturation;
    const least = ((calls.first + calls.other) * jobTime) / concurrent;
    const moved = displacements(saturation, 'first');
    const last = submissions.findLastIndex(({ organization }) => organization === 'other');
    printFigures({
      workers: String(workers),
      artworks: JSON.stringify(ended),
      'submissions, failed attempts': `${submissions.length}, ${failedAttempts}`,
      'most jobs at once': `${mostRunning} of ${concurrent} slots`,
      'use of the slots': `${((100 * least) / took).toFixed(0)} %, including the start of the workers`,
      'places moved from the order of the queue': `${summarize(moved).p50} p50, ${Math.max(...moved)} at most`,
      'place of the last of 50 calls behind 150': String(last + 1),
    });
  }
}
