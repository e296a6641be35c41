/** Counts the attempts of an embedded call during which the worker died, for example because it ran out of memory. */
import { EngineError } from '../engines/contract/index.ts';
import { type CallAtEngine, countSubmission, findJob, removeJob } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { ArtworkEnded } from './provider-call.ts';

/**
 * Worker deaths after which a repeated call fails. The first attempt is not counted, so that a call that succeeds at once
 * costs no extra write.
 */
const maxWorkerDeaths = 4;

/**
 * Runs an embedded engine for a call that is attempted again.
 * @throws EngineError a final one when too many workers have died during the call
 */
export async function countStart<T>(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { at, model }: { at: CallAtEngine; model: string },
  run: () => Promise<T>,
): Promise<T> {
  const earlier = (await findJob(db, at))?.submissions ?? 0;
  if (earlier >= maxWorkerDeaths) {
    throw new EngineError('internal_error', `The worker has died during each of the last ${earlier + 1} attempts`, {
      isFinal: true,
      publicMessage: 'This request stopped the model on every attempt. Change the request.',
    });
  }
  const start = { model, submittedAt: new Date(now()), earlier, charge: 0, lease: 0 } as const;
  if ((await countSubmission(db, at, start)) === 'ended') throw new ArtworkEnded();
  try {
    return await run();
  } finally {
    await removeJob(db, at).catch(() => undefined);
  }
}
