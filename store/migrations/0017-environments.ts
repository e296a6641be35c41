/**
 * The environment of artworks, files, styles and usage. Release 2.6.2 does not write the column, so a trigger fills it
 * in. The next migration changes the objects of test keys that exist already.
 */
import { Migration } from '@mikro-orm/migrations';

/** In the order in which the end of an artwork locks them, so that none waits for the migration while it waits for them. */
const tables = ['artwork', 'style', 'uploaded_file', 'usage'];

export class Environments extends Migration {
  override up(): void {
    // A key that does not exist is an error of the foreign key.
    this.addSql(`
      create function "set_environment"() returns trigger language plpgsql as $$
      begin
        new."environment" := coalesce((select "environment" from "api_key" where "id" = new."key_id"), 'live');
        return new;
      end
      $$
    `);
    for (const table of tables) {
      this.addSql(`
        alter table "${table}"
          add column "environment" text not null default 'live',
          add constraint "${table}_environment_check" check ("environment" in ('live', 'test')) not valid
      `);
      this.addSql(`
        create trigger "${table}_environment"
          before insert on "${table}"
          for each row
          execute function "set_environment"()
      `);
    }
  }
}
