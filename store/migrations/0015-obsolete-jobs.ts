/** Jobs that a provider must still cancel or delete, and the engines that the files of workers name. */
import { Migration } from '@mikro-orm/migrations';

export class ObsoleteJobs extends Migration {
  override up(): void {
    this.addSql(`alter table "job" add column "submitted_to" jsonb null`);
    // No reference to the artwork: the row outlives it, and contains no client data.
    this.addSql(`
      create table "obsolete_job" (
        "engine" text not null,
        "remote_id" text not null,
        "model" text not null,
        "submitted_to" jsonb null,
        "is_ended" boolean not null,
        "attempts" int not null default 0,
        "next_at" timestamptz(3) not null,
        "give_up_at" timestamptz(3) not null,
        primary key ("engine", "remote_id")
      )
    `);
    this.addSql(`create index "obsolete_job_next_at_index" on "obsolete_job" ("next_at")`);
    this.addSql(`
      create table "configured_engine" (
        "name" text not null,
        "seen_at" timestamptz(3) not null,
        primary key ("name")
      )
    `);
  }
}
