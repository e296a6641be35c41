/** Revives every artwork and every upload, as after the restore of a backup. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { grpcStatus } from '../runtime/grpc-status.ts';
import { pagesOfArtworks, pagesOfUploads } from '../store/retained.ts';
import { isUnavailable } from './problem.ts';
import {
  reviveArtwork,
  type ReviveDependencies,
  type ReviveOptions,
  type ReviveOutcome,
  reviveUpload,
} from './revive.ts';

export type ReviveCounts = Record<ReviveOutcome | 'failed', number>;

/** Statuses that pass. */
const transient: readonly number[] = [
  grpcStatus.deadlineExceeded,
  grpcStatus.resourceExhausted,
  grpcStatus.unavailable,
];
/** Milliseconds before the first repetition and before the last one. */
const firstPause = 500;
const longestPause = 16_000;

/**
 * Continues after a failure, which it reports: the command can be repeated.
 * @param onPage gets the counts so far
 * @throws Problem `unavailable` when Temporal does not respond for half a minute; an error of the database
 */
export async function reviveAll(
  deps: ReviveDependencies,
  options: ReviveOptions & { onFailure(id: string, error: unknown): void; onPage(counts: ReviveCounts): void },
): Promise<ReviveCounts> {
  const counts: ReviveCounts = { revived: 0, running: 0, purged: 0, failed: 0 };
  const reviveEach = async <T extends { id: string }>(
    page: readonly T[],
    revive: (one: T) => Promise<ReviveOutcome>,
  ) => {
    const reviving = page.map(async (one) => {
      try {
        counts[await whenAvailable(() => revive(one))]++;
      } catch (error) {
        if (isUnavailable(error)) throw error;
        counts.failed++;
        options.onFailure(one.id, error);
      }
    });
    // No request may be open when the caller closes the connection.
    await Promise.allSettled(reviving);
    await Promise.all(reviving);
    options.onPage(counts);
  };
  for await (const page of pagesOfArtworks(deps.db)) await reviveEach(page, (one) => reviveArtwork(deps, one, options));
  for await (const page of pagesOfUploads(deps.db)) await reviveEach(page, (one) => reviveUpload(deps, one));
  return counts;
}

const isTransient = (cause: unknown): boolean => {
  const error = cause instanceof ServiceError ? cause.cause : cause;
  return isGrpcServiceError(error) && transient.includes(error.code);
};

/** Repeats an attempt while Temporal does not respond in time, as it may after a restore. */
async function whenAvailable<T>(attempt: () => Promise<T>): Promise<T> {
  for (let pause = firstPause; ; pause *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error) || !isTransient(error.cause) || pause > longestPause) throw error;
      await sleep(pause);
    }
  }
}
