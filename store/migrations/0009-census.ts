/** Indexes to count unfinished artworks and artworks that are overdue for their purge. */
import { Migration } from '@mikro-orm/migrations';

export class Census extends Migration {
  override up(): void {
    this.addSql(`create index "artwork_unfinished_index" on "artwork" ("created_at") where finished_at is null`);
    this.addSql(`create index "artwork_expires_at_index" on "artwork" ("expires_at")`);
  }
}
