/** Revives artworks and uploads in bulk: the stuck ones, or every one, as after the restore of a backup. */
import {
  pagesOfArtworks,
  pagesOfRetained,
  pagesOfUploads,
  pagesOfUrgent,
  type RetainedArtwork,
} from '../store/retained.ts';
import { isUnavailable } from './problem.ts';
import {
  reviveArtwork,
  type ReviveDependencies,
  type ReviveOptions,
  type ReviveOutcome,
  reviveUpload,
} from './revive.ts';
import { pagesOfStuck, stuckKinds } from './stuck.ts';
import { whenAvailable } from './when-available.ts';

export type ReviveCounts = Record<ReviveOutcome | 'failed', number>;

export interface BulkOptions extends ReviveOptions {
  onFailure(id: string, error: unknown): void;
  /** Gets the counts so far. */
  onPage(counts: ReviveCounts): void;
}

/**
 * Revives unfinished artworks and those with an undelivered event first, because clients wait for them; then the others,
 * and the uploads. Continues after a failure, which it reports: the command can be repeated.
 * @throws Problem `unavailable` when Temporal does not respond for half a minute; an error of the database
 */
export async function reviveAll(deps: ReviveDependencies, options: BulkOptions): Promise<ReviveCounts> {
  const { counts, reviveEach } = countRevivals(options);
  const urgent = new Set<string>();
  const reviveOthers = (page: readonly RetainedArtwork[]) =>
    reviveEach(
      page.filter(({ id }) => !urgent.has(id)),
      (one) => reviveArtwork(deps, one, options),
    );
  for await (const page of pagesOfUrgent(deps.db)) {
    await reviveOthers(page);
    for (const { id } of page) urgent.add(id);
  }
  for await (const page of pagesOfArtworks(deps.db)) await reviveOthers(page);
  for await (const page of pagesOfUploads(deps.db)) await reviveEach(page, (one) => reviveUpload(deps, one));
  return counts;
}

/**
 * Revives the stuck artworks. The duration depends on the numbers of unfinished artworks, undelivered events and overdue
 * artworks, not on the number of stored artworks.
 * @throws as `reviveAll`
 */
export async function reviveStuck(deps: ReviveDependencies, options: BulkOptions): Promise<ReviveCounts> {
  const { counts, reviveEach } = countRevivals(options);
  for (const why of stuckKinds) {
    for await (const ids of pagesOfStuck(deps, why)) {
      for await (const page of pagesOfRetained(deps.db, ids))
        await reviveEach(page, (one) => reviveArtwork(deps, one, options));
    }
  }
  return counts;
}

function countRevivals({ onFailure, onPage }: BulkOptions) {
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
        onFailure(one.id, error);
      }
    });
    // No request may be open when the caller closes the connection.
    await Promise.allSettled(reviving);
    await Promise.all(reviving);
    onPage(counts);
  };
  return { counts, reviveEach };
}
