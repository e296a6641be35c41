/** Encoded styles, the finish reason and token usage of language models, and notifications of status changes. */
import { Migration } from '@mikro-orm/migrations';

export class StylesAndAnswers extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" add column "style_dna_id" text null`);
    this.addSql(`
      alter table "call_result"
        add column "finish_reason" text null,
        add column "usage" jsonb null
    `);
    this.addSql(`
      create table "call_message" (
        "artwork_id" text not null,
        "call" text not null,
        "message" text not null,
        primary key ("artwork_id", "call")
      )
    `);
    this.addSql(`
      alter table "call_message"
        add constraint "call_message_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
    this.addSql(`
      create table "style" (
        "id" text not null,
        "org_id" text not null,
        "key_id" text not null,
        "name" text not null,
        "dna" jsonb not null,
        "created_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`create index "style_org_id_id_index" on "style" ("org_id", "id")`);
    this.addSql(`
      alter table "style"
        add constraint "style_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "style"
        add constraint "style_key_id_foreign"
          foreign key ("key_id")
          references "api_key" ("id")
          on delete cascade
    `);
    this.addSql(`
      create function "tell_artwork"() returns trigger language plpgsql as $$
      begin
        perform pg_notify('artwork', new."id");
        return null;
      end
      $$
    `);
    this.addSql(`
      create trigger "artwork_told"
        after update of "status" on "artwork"
        for each row
        when (old."status" is distinct from new."status")
        execute function "tell_artwork"()
    `);
  }
}
