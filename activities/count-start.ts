/** Counts the starts of a call that do not end, because it ends the worker each time, for example by its use of memory. */
import { EngineError } from '../engines/contract/index.ts';
import { type CallAtEngine, countSubmission, findJob, removeJob } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { ArtworkEnded } from './provider-call.ts';

/** Workers that a call may end. The first of them is not counted, so that a call costs no write as long as nothing fails. */
const maxEndedWorkers = 4;

/**
 * Runs an embedded engine for a call that is attempted again.
 * @throws EngineError a final one when the call has ended too many workers
 */
export async function countStart<T>(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { at, model }: { at: CallAtEngine; model: string },
  run: () => Promise<T>,
): Promise<T> {
  const earlier = (await findJob(db, at))?.submissions ?? 0;
  if (earlier >= maxEndedWorkers) {
    throw new EngineError('internal_error', `The worker has died during each of the last ${earlier + 1} attempts`, {
      isFinal: true,
      publicMessage: 'This request has stopped the model each time, so it was given up.',
    });
  }
  const start = { model, submittedAt: new Date(now()), earlier, lease: 0 };
  if ((await countSubmission(db, at, start)) === 'ended') throw new ArtworkEnded();
  try {
    return await run();
  } finally {
    await removeJob(db, at).catch(() => undefined);
  }
}
