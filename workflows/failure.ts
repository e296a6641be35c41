/** What a failed activity means: it has classified what it could, and what remains is time. */
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { type ErrorCode, isErrorCode } from '../schemas/errors.ts';
import type { FailureDetail } from '../schemas/workflow.ts';

/**
 * @param late what it means that all the time is over in which it was tried, where no try has said more
 * @throws the error itself when it is none of an activity
 */
export function codeOf(error: unknown, late: ErrorCode): ErrorCode {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) {
    if (cause.timeoutType === 'START_TO_CLOSE') return 'provider_timeout';
    return cause.timeoutType === 'SCHEDULE_TO_CLOSE' ? late : 'provider_unavailable';
  }
  if (!(cause instanceof ApplicationFailure)) throw error;
  return isErrorCode(cause.type) ? cause.type : 'internal_error';
}

/** Whether a step has failed for good. A local one that a timer has tried again does so without an `ActivityFailure` around it. */
export function hasFailed(error: unknown): boolean {
  return (error instanceof ActivityFailure || error instanceof ApplicationFailure) && !isCancellation(error);
}

/** Whether another try may help, here or elsewhere: the tries are over, not the chances. */
export function mayPass(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return cause.timeoutType === 'HEARTBEAT';
  if (!(cause instanceof ApplicationFailure)) return false;
  const passes = ['provider_unavailable', 'provider_timeout', 'unavailable'];
  return passes.includes(cause.type ?? '') && detailOf(cause).isOver !== true;
}

/** Whether the engine is down and has no part of the call, so that the next one may be asked. */
export function isDown(error: unknown): boolean {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure) || cause.type !== 'provider_unavailable') return false;
  return detailOf(cause).holdsJob !== true;
}

const detailOf = ({ details }: ApplicationFailure): FailureDetail => details?.[0] ?? {};

const causeOf = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);
