/** One way from any error to a failure that Temporal knows how to treat: retryable or not by the error table. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { EngineError } from '../engines/engine.ts';
import { errors } from '../schemas/errors.ts';
import { isDatabaseUnavailable } from '../store/database.ts';

/** An unknown error is probably a bug, which more tries will not mend. */
const triesForUnknownErrors = 3;

/** Details of every failure of ours; workflows read the message for clients from here. */
export interface FailureDetails {
  publicMessage: string | null;
}

/**
 * @param attempt the number of the present try, from 1
 * @returns a failure whose `type` is a code of the error table
 */
export function toFailure(error: unknown, attempt: number): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof EngineError) {
    const details: FailureDetails = { publicMessage: error.publicMessage ?? null };
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !errors[error.code].retryable,
      details: [details],
      ...(error.cause instanceof Error && { cause: error.cause }),
    });
  }
  const unavailable = isDatabaseUnavailable(error);
  return ApplicationFailure.create({
    type: unavailable ? 'unavailable' : 'internal_error',
    // A database error names values; a history must hold nothing personal.
    message: unavailable ? 'The database is not available' : `Unexpected ${nameOf(error)}`,
    nonRetryable: !unavailable && attempt >= triesForUnknownErrors,
  });
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
