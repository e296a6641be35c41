/** Repeats a step of a long command while Temporal is overloaded or does not respond. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { grpcStatus } from '../runtime/grpc-status.ts';
import { isUnavailable } from './problem.ts';

/** Statuses that pass. */
const transient: readonly number[] = [
  grpcStatus.deadlineExceeded,
  grpcStatus.resourceExhausted,
  grpcStatus.unavailable,
];
/** Milliseconds before the first repetition and before the last one. */
const firstPause = 500;
const longestPause = 16_000;

const isTransient = (cause: unknown): boolean => {
  const error = cause instanceof ServiceError ? cause.cause : cause;
  return isGrpcServiceError(error) && transient.includes(error.code);
};

/**
 * Repeats an attempt while Temporal does not respond in time, as it may after a restore.
 * @throws the error of the last attempt, after half a minute
 */
export async function whenAvailable<T>(attempt: () => Promise<T>): Promise<T> {
  for (let pause = firstPause; ; pause *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error) || !isTransient(error.cause) || pause > longestPause) throw error;
      await sleep(pause);
    }
  }
}
