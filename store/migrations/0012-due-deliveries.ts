/** Events that are due, so that the census finds those that no workflow delivers. */
import { Migration } from '@mikro-orm/migrations';

export class DueDeliveries extends Migration {
  override up(): void {
    this.addSql(`
      create table "due_delivery" (
        "artwork_id" text primary key,
        "due_at" timestamptz(3) not null,
        constraint "due_delivery_artwork_id_foreign"
          foreign key ("artwork_id") references "artwork" ("id") on update cascade on delete cascade
      )
    `);
    this.addSql(`create index "due_delivery_due_at_index" on "due_delivery" ("due_at")`);
  }
}
