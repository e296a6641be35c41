/** Indexes to count unfinished artworks and artworks that are overdue for their purge. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const censusIndexes: readonly OnlineIndex[] = [
  { name: 'artwork_unfinished_index', definition: `on "artwork" ("created_at") where finished_at is null` },
  { name: 'artwork_expires_at_index', definition: `on "artwork" ("expires_at")` },
];

export class Census extends Migration {
  /** Only indexes. */
  override up(): void {}
}
