/** Turns a failed request to Temporal into a Problem, with an explanation for the operator's log. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { explainTemporalError } from '../runtime/temporal-errors.ts';
import type { TemporalConnection } from '../runtime/temporal-settings.ts';
import { Problem } from './problem.ts';

/** Returns null for any other error. */
export function temporalUnavailable(error: unknown, temporal: TemporalConnection): Problem | null {
  if (!(error instanceof ServiceError) && !isGrpcServiceError(error)) return null;
  const failure = explainTemporalError(error, temporal);
  return new Problem('unavailable', { cause: failure === null ? error : new Error(failure.message, { cause: error }) });
}
