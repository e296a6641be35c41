/** Turns a failed call to Temporal into a 503. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { Problem } from './problem.ts';

/** Returns whether Temporal did not respond in time, or not at all. */
export const isTemporalUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError || isGrpcServiceError(error);

/** @throws Problem `unavailable` if Temporal cannot be reached, otherwise the error itself */
export function throwUnavailable(error: unknown): never {
  throw isTemporalUnavailable(error) ? new Problem('unavailable', { cause: error }) : error;
}
