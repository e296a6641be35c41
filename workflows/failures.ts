/** Classifies the failures of activities. Activities have mapped their own errors to failures; all other failures are timeouts. */
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { type ErrorCode, isErrorCode } from '../schemas/errors.ts';
import type { Ending, FailureDetail } from '../schemas/workflow.ts';

/** The ending of an artwork after an unexpected failure of one of its steps. */
export const internalError: Ending = {
  status: 'FAILED',
  failure: { call: '', model: '', code: 'internal_error', message: null },
  failures: [],
};

/**
 * Returns the code of the error table for a failed activity.
 * @param atDeadline the code when the deadline (the schedule-to-close timeout) has ended the activity
 * @throws the error itself when it does not come from an activity
 */
export function codeOf(error: unknown, atDeadline: ErrorCode): ErrorCode {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) {
    if (cause.timeoutType === 'START_TO_CLOSE') return 'provider_timeout';
    return cause.timeoutType === 'SCHEDULE_TO_CLOSE' ? atDeadline : 'provider_unavailable';
  }
  if (!(cause instanceof ApplicationFailure)) throw error;
  return isErrorCode(cause.type) ? cause.type : 'internal_error';
}

/**
 * Returns whether an activity has failed for good. When the last attempt of a local activity followed a timer, its
 * failure is not wrapped in an `ActivityFailure`.
 */
export function isPermanentFailure(error: unknown): boolean {
  return (error instanceof ActivityFailure || error instanceof ApplicationFailure) && !isCancellation(error);
}

/** Returns whether another attempt can succeed, at the same engine or at another. */
export function isTransient(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'HEARTBEAT';
  if (!(cause instanceof ApplicationFailure)) return false;
  const transient = ['provider_unavailable', 'provider_timeout', 'unavailable'];
  return transient.includes(cause.type ?? '') && detailOf(cause).isOver !== true;
}

/** Returns whether the engine is down and its provider holds no job of the call, so that another engine may take it. */
export function isDown(error: unknown): boolean {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure) || cause.type !== 'provider_unavailable') return false;
  return detailOf(cause).holdsJob !== true;
}

const detailOf = ({ details }: ApplicationFailure): FailureDetail => details?.[0] ?? {};

const causeOf = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);
