/** Lists of a key's artworks, and a word to whoever follows one for each step that it takes. */
import { Migration } from '@mikro-orm/migrations';

export class Feed extends Migration {
  override up(): void {
    this.addSql(`create index "artwork_key_id_id_index" on "artwork" ("key_id", "id")`);
    this.addSql(
      `create function "tell_progress"() returns trigger language plpgsql as $$ begin perform pg_notify('artwork_progress', new."artwork_id"); return null; end $$`,
    );
    // Answers are followed by nobody: theirs are not told.
    const ofArtwork = `new."artwork_id" like 'art\\_%'`;
    for (const table of ['call_result', 'failed_try']) {
      this.addSql(
        `create trigger "${table}_told" after insert on "${table}" for each row when (${ofArtwork}) execute function "tell_progress"()`,
      );
    }
    this.addSql(
      `create trigger "retry_told" after update of "retried_at" on "failed_try" for each row when (${ofArtwork}) execute function "tell_progress"()`,
    );
    // One that has ended is followed no more, so that the daily purge tells nobody.
    this.addSql(
      `create function "tell_removal"() returns trigger language plpgsql as $$ begin perform pg_notify('artwork', old."id"); return null; end $$`,
    );
    this.addSql(
      `create trigger "removal_told" after delete on "artwork" for each row when (old."finished_at" is null) execute function "tell_removal"()`,
    );
  }
}
