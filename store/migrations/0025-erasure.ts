/** The indexes with which the deletion of a key finds the rows that refer to it. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const erasureIndexes: readonly OnlineIndex[] = [
  { name: 'usage_key_id_index', definition: `on "usage" ("key_id")` },
  { name: 'style_key_id_index', definition: `on "style" ("key_id")` },
];

/** Changes nothing else. */
export class Erasure extends Migration {
  override up(): void {}
}
