/** Names of operators in the audit log, entries without an organization, and seals that reveal later changes. */
import { Migration } from '@mikro-orm/migrations';

export class AuditLog extends Migration {
  override up(): void {
    this.addSql(`
      alter table "audit_entry"
        add column "operator_name" text null,
        add column "seal" int null
    `);
    // The previous release reads and deletes entries by organization, so it never meets one without.
    this.addSql(`
      -- squawk-ignore ban-drop-not-null
      alter table "audit_entry" alter column "org_id" drop not null
    `);
    this.addSql(`
      create table "audit_seal" (
        "id" text not null,
        "org_id" text null,
        "number" int not null,
        "sealed_at" timestamptz(3) not null,
        "entries" jsonb not null,
        "previous" text null,
        "previous_sealed_at" timestamptz(3) null,
        "previous_verified" boolean not null,
        "secret_id" text not null,
        "sha256" text not null,
        "hmac" text not null,
        primary key ("id"),
        constraint "audit_seal_org_id_number_unique" unique ("org_id", "number"),
        constraint "audit_seal_org_id_foreign" foreign key ("org_id") references "organization" ("id")
          on delete cascade
      )
    `);
  }
}
