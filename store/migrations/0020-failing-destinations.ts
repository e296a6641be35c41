/** Destinations of webhooks whose deliveries fail, so that those that fail for days are paused. */
import { Migration } from '@mikro-orm/migrations';

export class FailingDestinations extends Migration {
  override up(): void {
    this.addSql(`
      create table "failing_destination" (
        "id" text not null,
        "org_id" text not null,
        "environment" text not null,
        "url" text not null,
        "failing_since" timestamptz(3) not null,
        "last_failed_at" timestamptz(3) not null,
        "failures" int not null,
        "last_error" text not null,
        "expires_at" timestamptz(3) not null,
        "paused_at" timestamptz(3) null,
        "probe_at" timestamptz(3) null,
        primary key ("id"),
        constraint "failing_destination_environment_check" check ("environment" in ('live', 'test')),
        constraint "failing_destination_org_id_foreign" foreign key ("org_id") references "organization" ("id")
          on delete cascade
      )
    `);
    this.addSql(
      `create index "failing_destination_org_id_environment_id_index"
         on "failing_destination" ("org_id", "environment", "id")`,
    );
    this.addSql(`create index "failing_destination_expires_at_index" on "failing_destination" ("expires_at")`);
  }
}
