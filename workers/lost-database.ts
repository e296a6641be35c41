/** Explains in the log why a running worker cannot use its database. */
import { explainDatabaseError } from '../runtime/database-errors.ts';
import type { Logger } from '../runtime/log.ts';

/** Milliseconds between two explanations. */
const interval = 10_000;

/**
 * Returns a function to call with the error of each step that cannot use the database. It logs a sentence, at most one
 * in ten seconds, and returns whether it knows one for the error.
 */
export function explainLostDatabase(url: string, log: Pick<Logger, 'error'>): (error: unknown) => boolean {
  let explainedAt = -Infinity;
  return (error) => {
    const failure = explainDatabaseError(error, url);
    if (failure === null) return false;
    if (performance.now() - explainedAt >= interval) {
      explainedAt = performance.now();
      log.error({ failure: failure.kind }, failure.message);
    }
    return true;
  };
}
