/** Maps every error to a Temporal failure. The error table decides whether the failure is retryable. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { EngineError } from '../engines/contract/index.ts';
import { type ErrorCode, errors } from '../schemas/errors.ts';
import type { FailureDetail } from '../schemas/workflow.ts';
import { isDatabaseUnavailable } from '../store/database.ts';
import { FilesUnavailable } from '../store/files/unavailable.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';

/** Returns the code of the error table for an error. */
export function codeOf(error: unknown): ErrorCode {
  if (error instanceof EngineError) return error.code;
  return isStoreUnavailable(error) ? 'unavailable' : 'internal_error';
}

/** Returns whether the step could not use the database. */
export function isDatabaseFailure(error: unknown): boolean {
  return !(error instanceof EngineError || error instanceof FilesUnavailable) && isDatabaseUnavailable(error);
}

/**
 * Returns a failure whose `type` is a code of the error table.
 * @param isLast whether this was the last attempt that an unexpected error allows; an `EngineError` says so itself
 */
export function toFailure(error: unknown, isLast: boolean): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const failure = classify(error, isLast);
  // A history must not contain paths of the machine; the log has the stack.
  failure.stack = '';
  return failure;
}

/**
 * Returns the failure without its cause, because messages of libraries and providers may contain prompts, addresses and
 * keys.
 */
function classify(error: unknown, isLast: boolean): ApplicationFailure {
  if (error instanceof EngineError) {
    const { code, message, retryAfter, isFinal, isPostponed, holdsJob } = error;
    const isOver = isFinal || !errors[code].retryable;
    const detail: FailureDetail = { ...(isOver && { isOver }), ...(holdsJob && { holdsJob }) };
    return ApplicationFailure.create({
      type: code,
      message,
      nonRetryable: isOver || isPostponed,
      details: [detail],
      ...(retryAfter !== undefined && { nextRetryDelay: retryAfter }),
    });
  }
  const unavailable = isStoreUnavailable(error);
  return ApplicationFailure.create({
    type: unavailable ? 'unavailable' : 'internal_error',
    // The message of a database error contains values, and a history must not contain personal data.
    message: unavailable ? unavailableMessage(error) : `Unexpected ${nameOf(error)}`,
    nonRetryable: !unavailable && isLast,
  });
}

const unavailableMessage = (error: unknown): string =>
  error instanceof FilesUnavailable ? 'The image files are not available' : 'The database is not available';

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);
