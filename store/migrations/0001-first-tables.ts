/** The first tables. */
import { Migration } from '@mikro-orm/migrations';

export class FirstTables extends Migration {
  override up(): void {
    this.addSql(`
      create table "organization" (
        "id" text not null,
        "name" text not null,
        "created_at" timestamptz(3) not null,
        "webhook_secret" bytea not null,
        "webhook_secret_rotated_at" timestamptz(3) null,
        "previous_secret" bytea null,
        "previous_secret_expires_at" timestamptz(3) null,
        primary key ("id")
      )
    `);
    this.addSql(`
      create table "api_key" (
        "id" text not null,
        "org_id" text not null,
        "hash" bytea not null,
        "prefix" text not null,
        "label" text not null,
        "scope" text not null,
        "domains" text[] not null,
        "environment" text not null,
        "credits" int not null,
        "usage_count" bigint not null,
        "last_used_at" timestamptz(3) null,
        "expires_at" timestamptz(3) null,
        "revoked_at" timestamptz(3) null,
        "created_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`create index "api_key_org_id_index" on "api_key" ("org_id")`);
    this.addSql(`
      alter table "api_key"
        add constraint "api_key_hash_unique"
          unique ("hash")
    `);
    this.addSql(`
      alter table "api_key"
        add constraint "api_key_scope_check"
          check ("scope" in ('generator', 'manager', 'admin'))
    `);
    this.addSql(`
      alter table "api_key"
        add constraint "api_key_environment_check"
          check ("environment" in ('live', 'test'))
    `);
    this.addSql(`
      create table "artwork" (
        "id" text not null,
        "org_id" text not null,
        "key_id" text not null,
        "operation" text not null,
        "domain" text not null,
        "status" text not null,
        "error_code" text null,
        "error_message" text null,
        "failures" jsonb null,
        "input" jsonb not null,
        "plan" jsonb null,
        "prompt" text null,
        "metadata" jsonb not null,
        "webhook_url" text null,
        "event_id" text null,
        "event_body" text null,
        "created_at" timestamptz(3) not null,
        "started_at" timestamptz(3) null,
        "finished_at" timestamptz(3) null,
        "expires_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`create index "artwork_org_id_id_index" on "artwork" ("org_id", "id")`);
    this.addSql(`
      alter table "artwork"
        add constraint "artwork_domain_check"
          check ("domain" in ('artworks-internal', 'style-dna', 'textcraft', 'studio'))
    `);
    this.addSql(`
      alter table "artwork"
        add constraint "artwork_status_check"
          check ("status" in ('STARTING', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'ABANDONED'))
    `);
    this.addSql(`
      create table "image" (
        "artwork_id" text not null,
        "name" text not null,
        "role" text not null,
        "content_type" text not null,
        "width" int not null,
        "height" int not null,
        "bytes" int not null,
        "sha256" text not null,
        "seed" bigint null,
        "model" text not null,
        primary key ("artwork_id", "name")
      )
    `);
    this.addSql(`
      alter table "image"
        add constraint "image_role_check"
          check ("role" in ('image', 'mask', 'depth', 'anchor'))
    `);
    this.addSql(`
      create table "delivery" (
        "artwork_id" text not null,
        "attempt" int not null,
        "at" timestamptz(3) not null,
        "url" text not null,
        "status" int null,
        "error" text null,
        "duration_ms" int not null,
        "next_at" timestamptz(3) null,
        primary key ("artwork_id", "attempt")
      )
    `);
    this.addSql(`
      create table "call_result" (
        "artwork_id" text not null,
        "call" text not null,
        "model" text not null,
        "text" text null,
        "finished_at" timestamptz(3) not null,
        primary key ("artwork_id", "call")
      )
    `);
    this.addSql(`
      alter table "api_key"
        add constraint "api_key_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "artwork"
        add constraint "artwork_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "artwork"
        add constraint "artwork_key_id_foreign"
          foreign key ("key_id")
          references "api_key" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "image"
        add constraint "image_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "delivery"
        add constraint "delivery_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "call_result"
        add constraint "call_result_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
  }
}
