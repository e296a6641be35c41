/** Keys that only some addresses may use, admin keys whose keys must expire, and rolled keys in their grace period. */
import { Migration } from '@mikro-orm/migrations';

export class KeyOptions extends Migration {
  override up(): void {
    this.addSql(`
      alter table "api_key"
        add column "allowed_addresses" text[] null,
        add column "max_key_days" int null
    `);
    this.addSql(`
      create table "previous_key" (
        "key_id" text not null,
        "hash" bytea not null,
        "expires_at" timestamptz(3) not null,
        primary key ("key_id"),
        constraint "previous_key_hash_unique" unique ("hash"),
        constraint "previous_key_key_id_foreign" foreign key ("key_id") references "api_key" ("id")
          on update cascade on delete cascade
      )
    `);
    this.addSql(`create index "previous_key_expires_at_index" on "previous_key" ("expires_at")`);
  }
}
