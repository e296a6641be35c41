/** The index for lists of a key's artworks, and notifications of each step of an artwork. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const feedIndexes: readonly OnlineIndex[] = [
  { name: 'artwork_key_id_id_index', definition: `on "artwork" ("key_id", "id")` },
];

export class Feed extends Migration {
  override up(): void {
    this.addSql(`
      create function "tell_progress"() returns trigger language plpgsql as $$
      begin
        perform pg_notify('artwork_progress', new."artwork_id");
        return null;
      end
      $$
    `);
    // Only artworks: nothing follows the steps of a synchronous request.
    const ofArtwork = `new."artwork_id" like 'art\\_%'`;
    for (const table of ['call_result', 'failed_try']) {
      this.addSql(`
        create trigger "${table}_told"
          after insert on "${table}"
          for each row
          when (${ofArtwork})
          execute function "tell_progress"()
      `);
    }
    this.addSql(`
      create trigger "retry_told"
        after update of "retried_at" on "failed_try"
        for each row
        when (${ofArtwork})
        execute function "tell_progress"()
    `);
    // Only unfinished artworks: nothing follows an artwork after its end, so the daily purge needs no notifications.
    this.addSql(`
      create function "tell_removal"() returns trigger language plpgsql as $$
      begin
        perform pg_notify('artwork', old."id");
        return null;
      end
      $$
    `);
    this.addSql(`
      create trigger "removal_told"
        after delete on "artwork"
        for each row
        when (old."finished_at" is null)
        execute function "tell_removal"()
    `);
  }
}
