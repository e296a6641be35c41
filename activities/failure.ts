/** One way from any error to a failure that Temporal knows how to treat: retryable or not by the error table. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { EngineError } from '../engines/contract/index.ts';
import { type ErrorCode, errors } from '../schemas/errors.ts';
import type { FailureDetail } from '../schemas/workflow.ts';
import { isDatabaseUnavailable } from '../store/database.ts';

/** The code of the error table that an error comes to. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof EngineError) return error.code;
  return isDatabaseUnavailable(error) ? 'unavailable' : 'internal_error';
}

/**
 * @param isLast whether an error that nobody has foreseen is to be final; others know themselves
 * @returns a failure whose `type` is a code of the error table
 */
export function toFailure(error: unknown, isLast: boolean): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const failure = classify(error, isLast);
  // Histories hold no paths of machines; log lines have the whole story.
  failure.stack = '';
  return failure;
}

/** Without causes: what libraries and providers say may name prompts, addresses and keys. */
function classify(error: unknown, isLast: boolean): ApplicationFailure {
  if (error instanceof EngineError) {
    const { code, message, retryAfter, isFinal, isPostponed, holdsJob } = error;
    const isOver = isFinal || !errors[code].retryable || (isLast && code === 'internal_error');
    const detail: FailureDetail = { ...(isOver && { isOver }), ...(holdsJob && { holdsJob }) };
    return ApplicationFailure.create({
      type: code,
      message,
      nonRetryable: isOver || isPostponed,
      details: [detail],
      ...(retryAfter !== undefined && { nextRetryDelay: retryAfter }),
    });
  }
  const unavailable = isDatabaseUnavailable(error);
  return ApplicationFailure.create({
    type: unavailable ? 'unavailable' : 'internal_error',
    // A database error names values; a history must hold nothing personal.
    message: unavailable ? 'The database is not available' : `Unexpected ${nameOf(error)}`,
    nonRetryable: !unavailable && isLast,
  });
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
