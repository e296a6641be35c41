/** Turns a failed call to Temporal into a 503. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { Problem } from './problem.ts';

/** Returns whether the error comes from a request to Temporal, whatever its reason. */
export const isTemporalUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError || isGrpcServiceError(error);

/** @throws Problem `unavailable` for an error of a request to Temporal, otherwise the error itself */
export function throwUnavailable(error: unknown): never {
  throw isTemporalUnavailable(error) ? new Problem('unavailable', { cause: error }) : error;
}
