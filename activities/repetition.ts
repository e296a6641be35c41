/** Decides whether a call may be submitted again after submissions that may have been charged for. */
import { type EngineCall, EngineError } from '../engines/contract/index.ts';
import { freeFailures, ProviderError } from '../engines/upstream/failures.ts';
import { countCharges, isInDoubt } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import type { EngineRun } from './run-engine.ts';

/** Maximum submissions of a call that may be charged for, over all attempts and engines. A text costs little. */
export const maxCharges = ({ task }: EngineCall): number => (task === 'write' ? 10 : 3);

/** Milliseconds for the free request that shows whether a provider is back. */
const pingTimeout = 10_000;

/** Returns whether a submission that failed with this error costs nothing. */
export function isFree(error: unknown): boolean {
  return error instanceof ProviderError && freeFailures.includes(error.failure);
}

/**
 * Before a submission that may be charged for a second time: counts the earlier ones, and lets a provider that is down
 * fail a free request instead.
 * @throws EngineError a final one when the call has been submitted too often; that of the free request
 */
export async function checkRepetition(
  { db }: Pick<Dependencies, 'db'>,
  { engine, call, at, known, signals }: Pick<EngineRun, 'engine' | 'call' | 'at' | 'known' | 'signals'>,
): Promise<void> {
  const charges = await countCharges(db, at);
  if (charges === 0) return;
  if (charges >= maxCharges(call)) throw submittedTooOften(engine.name, charges, known !== null && isInDoubt(known));
  await engine.ping?.(AbortSignal.any([signals.attempt, AbortSignal.timeout(pingTimeout)]));
}

/** @param hasDied whether the worker of the last submission has died before the outcome was known */
function submittedTooOften(engine: string, charges: number, hasDied: boolean): EngineError {
  const message = hasDied
    ? `The worker has died during this call, which has been submitted to ${engine} ${charges} times`
    : `${engine} has not responded to ${charges} submissions of this call`;
  return new EngineError(hasDied ? 'internal_error' : 'provider_unavailable', message, { isFinal: true });
}
