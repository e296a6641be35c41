/** Jobs at providers, failed attempts of calls, and the state of each provider that all workers share. */
import { Migration } from '@mikro-orm/migrations';

export class Providers extends Migration {
  override up(): void {
    this.addSql(`
      alter table "call_result"
        add column "attempt" int null,
        add column "started_at" timestamptz(3) null
    `);
    this.addSql(`
      create table "failed_try" (
        "id" bigserial primary key,
        "artwork_id" text not null,
        "call" text not null,
        "engine" text not null,
        "attempt" int not null,
        "started_at" timestamptz(3) not null,
        "ended_at" timestamptz(3) not null,
        "code" text not null,
        "retried_at" timestamptz(3) null
      )
    `);
    this.addSql(`create index "failed_try_artwork_id_call_index" on "failed_try" ("artwork_id", "call")`);
    this.addSql(`
      alter table "failed_try"
        add constraint "failed_try_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
    this.addSql(`
      create table "job" (
        "artwork_id" text not null,
        "call" text not null,
        "engine" text not null,
        "model" text not null,
        "remote_id" text null,
        "submitted_at" timestamptz(3) not null,
        "ended_at" timestamptz(3) null,
        "submissions" int not null,
        primary key ("artwork_id", "call", "engine")
      )
    `);
    this.addSql(`
      alter table "job"
        add constraint "job_artwork_id_foreign"
          foreign key ("artwork_id")
          references "artwork" ("id")
          on delete cascade
    `);
    this.addSql(`
      create table "engine_state" (
        "name" text not null,
        "paused_at" timestamptz(3) null,
        "held_until" timestamptz(3) null,
        "next_at" timestamptz(6) null,
        primary key ("name")
      )
    `);
    this.addSql(`
      create table "running_call" (
        "engine" text not null,
        "artwork" text not null,
        "call" text not null,
        "beat_at" timestamptz(3) not null,
        primary key ("engine", "artwork", "call")
      )
    `);
    this.addSql(admitCall);
  }
}

/**
 * Decides whether a call may start: in one round trip, with one locked row, so that all workers together stay within a
 * provider's limits. `wait` is in milliseconds. A verdict other than `go` reserves nothing.
 */
const admitCall = `
create function "admit_call"(
  "_engine" text,
  "_artwork" text,
  "_call" text,
  "_per_second" double precision,
  "_concurrent" int,
  "_lease" double precision,
  "_longest" double precision
) returns table ("verdict" text, "wait" double precision)
language plpgsql as $$
declare
  "_state" "engine_state";
  "_now" timestamptz := clock_timestamp();
  "_slot" timestamptz;
begin
  insert into "engine_state" ("name") values ("_engine") on conflict do nothing;
  if "_per_second" is null and "_concurrent" is null then
    select * into "_state" from "engine_state" where "name" = "_engine";
  else
    select * into "_state" from "engine_state" where "name" = "_engine" for update;
    "_now" := clock_timestamp();
  end if;
  if "_state"."paused_at" is not null then
    return query select 'paused', 0::double precision;
    return;
  end if;
  if "_state"."held_until" > "_now" then
    return query select 'held', extract(epoch from "_state"."held_until" - "_now")::double precision * 1000;
    return;
  end if;
  if "_concurrent" is not null then
    if (
      select count(*)
      from "running_call"
      where "engine" = "_engine"
        and ("artwork", "call") <> ("_artwork", "_call")
        and "beat_at" > "_now" - make_interval(secs => "_lease" / 1000)
    ) >= "_concurrent" then
      return query select 'full', 0::double precision;
      return;
    end if;
  end if;
  "_slot" := greatest(coalesce("_state"."next_at", "_now"), "_now");
  if "_per_second" is not null then
    if "_slot" > "_now" + make_interval(secs => "_longest" / 1000) then
      return query select 'busy', extract(epoch from "_slot" - "_now")::double precision * 1000;
      return;
    end if;
    update "engine_state"
    set "next_at" = "_slot" + make_interval(secs => 1 / "_per_second")
    where "name" = "_engine";
  end if;
  if "_concurrent" is not null then
    delete from "running_call"
    where "engine" = "_engine" and "beat_at" < "_now" - interval '1 hour';
    insert into "running_call" ("engine", "artwork", "call", "beat_at")
    values ("_engine", "_artwork", "_call", "_slot")
    on conflict ("engine", "artwork", "call") do update
    set "beat_at" = excluded."beat_at";
  end if;
  return query select 'go', extract(epoch from "_slot" - "_now")::double precision * 1000;
end
$$`;
