/** Rate limits, usage per day, and the audit log of keys and secrets. */
import { Migration } from '@mikro-orm/migrations';

export class LimitsUsageAudit extends Migration {
  override up(): void {
    this.addSql(`
      alter table "api_key"
        add column "rate_creations" int null,
        add column "rate_others" int null
    `);
    this.addSql(`
      create table "usage" (
        "org_id" text not null,
        "day" date not null,
        "operation" text not null,
        "key_id" text not null,
        "requests" bigint not null,
        "artworks" bigint not null,
        "credits" bigint not null,
        primary key ("org_id", "day", "operation", "key_id")
      )
    `);
    this.addSql(`
      alter table "usage"
        add constraint "usage_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "usage"
        add constraint "usage_key_id_foreign"
          foreign key ("key_id")
          references "api_key" ("id")
          on delete cascade
    `);
    this.addSql(`
      create table "audit_entry" (
        "id" text not null,
        "org_id" text not null,
        "at" timestamptz(3) not null,
        "actor" text not null,
        "action" text not null,
        "target" text not null,
        "changes" jsonb not null,
        "address" text null,
        "request_id" text null,
        primary key ("id")
      )
    `);
    this.addSql(`create index "audit_entry_org_id_id_index" on "audit_entry" ("org_id", "id")`);
    this.addSql(`
      alter table "audit_entry"
        add constraint "audit_entry_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    // Unlogged, because its rows last for a minute and every request updates one: a crash of PostgreSQL may lose them.
    // The fill factor leaves room for an updated row on the same page.
    this.addSql(`
      create unlogged table "rate_limit" (
        "key" text not null,
        "points" int not null,
        "expire" bigint null,
        primary key ("key")
      ) with (fillfactor = 50)
    `);
  }
}
