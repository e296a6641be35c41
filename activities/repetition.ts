/** Decides whether a call may be submitted again after submissions that may have been charged for. */
import { type EngineCall, EngineError } from '../engines/contract/index.ts';
import { freeFailures, ProviderError } from '../engines/upstream/failures.ts';
import { countCharges, findJob, isInDoubt } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import type { EngineRun } from './run-engine.ts';
import { CallTaken } from './submission-lease.ts';

/** Maximum submissions of a call that may be charged for, over all attempts and engines. A text costs little. */
export const maxCharges = ({ task }: EngineCall): number => (task === 'write' ? 10 : 3);

/** Milliseconds for the free request that shows whether a provider is back. */
const pingTimeout = 10_000;

/** Returns whether a submission that failed with this error costs nothing. */
export function isFree(error: unknown): boolean {
  return error instanceof ProviderError && freeFailures.includes(error.failure);
}

/** The errors of a ping that show that the provider is down. With any other, it has responded. */
const isDown = (error: unknown): boolean =>
  error instanceof EngineError && ['provider_unavailable', 'provider_timeout'].includes(error.code);

/**
 * Before a repeated submission, enforces the limit of charges, and pings the provider, so that an outage is not paid for.
 * @returns how many submissions may have been charged for
 * @throws EngineError a final one at the limit, or that of the ping
 */
export async function checkRepetition(
  { db }: Pick<Dependencies, 'db'>,
  { engine, call, at, known, signals }: Pick<EngineRun, 'engine' | 'call' | 'at' | 'known' | 'signals'>,
): Promise<number> {
  const charges = await countCharges(db, at);
  if (charges === 0) return 0;
  if (charges >= maxCharges(call)) {
    const now = await findJob(db, at);
    // Another attempt has made the last submission, and may still get its result.
    if (now?.submissions !== known?.submissions) throw new CallTaken();
    throw submittedTooOften(engine.name, charges, known !== null && isInDoubt(known));
  }
  const signal = AbortSignal.any([signals.attempt, AbortSignal.timeout(pingTimeout)]);
  await engine.ping?.(signal).catch((error: unknown) => {
    signals.attempt.throwIfAborted();
    if (isDown(error)) throw error;
  });
  return charges;
}

/** @param hasDied whether the worker died during the last submission */
function submittedTooOften(engine: string, charges: number, hasDied: boolean): EngineError {
  const message = hasDied
    ? `The worker died during this call, after ${charges} submissions to ${engine}. Check its memory limit.`
    : `${charges} submissions to ${engine} may have been charged for, without a usable result`;
  return new EngineError(hasDied ? 'internal_error' : 'provider_unavailable', message, { isFinal: true });
}
