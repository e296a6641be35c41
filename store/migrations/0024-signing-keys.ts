/** The keys that sign webhooks asymmetrically, one per organization that wants it. */
import { Migration } from '@mikro-orm/migrations';

export class SigningKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table "webhook_signing_key" (
        "org_id" text not null,
        "public_key" text not null,
        "private_key" bytea not null,
        "created_at" timestamptz(3) not null,
        "previous_public_key" text null,
        "previous_private_key" bytea null,
        "previous_expires_at" timestamptz(3) null,
        primary key ("org_id"),
        constraint "webhook_signing_key_org_id_foreign" foreign key ("org_id") references "organization" ("id")
          on update cascade on delete cascade
      )
    `);
  }
}
