/** Permits to take calls from the queues of providers with limits. */
import { Migration } from '@mikro-orm/migrations';

export class PollPermits extends Migration {
  override up(): void {
    this.addSql(`
      create table "poll_permit" (
        "engine" text not null,
        "worker" text not null,
        "held" int not null,
        "waiting" int not null,
        "beat_at" timestamptz(3) not null,
        primary key ("engine", "worker")
      )
    `);
    this.addSql(requestPermits);
  }
}

/**
 * Stores how many permits a worker holds, and grants as many of the wanted ones as the provider's limits allow: in one
 * round trip, with one locked row. Each call with a permit that waits uses up one of the starts within the window, which
 * is in milliseconds, as the lease is.
 */
const requestPermits = `
create function "request_permits"(
  "_engine" text,
  "_worker" text,
  "_held" int,
  "_waiting" int,
  "_wanted" int,
  "_per_second" double precision,
  "_concurrent" int,
  "_lease" double precision,
  "_window" double precision
) returns int
language plpgsql as $$
declare
  "_state" "engine_state";
  "_now" timestamptz;
  "_others_held" int;
  "_others_waiting" int;
  "_until_start" double precision;
  "_starts" int;
  "_granted" int := "_wanted";
begin
  insert into "engine_state" ("name") values ("_engine") on conflict do nothing;
  select * into "_state" from "engine_state" where "name" = "_engine" for update;
  "_now" := clock_timestamp();
  delete from "poll_permit"
  where "engine" = "_engine" and "worker" <> "_worker" and "beat_at" < "_now" - make_interval(secs => "_lease" / 1000);
  select coalesce(sum("held"), 0), coalesce(sum("waiting"), 0) into "_others_held", "_others_waiting"
  from "poll_permit"
  where "engine" = "_engine" and "worker" <> "_worker";
  if "_concurrent" is not null then
    "_granted" := least("_granted", "_concurrent" - "_others_held" - "_held");
  end if;
  if "_per_second" is not null then
    "_until_start" := greatest(extract(epoch from "_state"."next_at" - "_now"), 0);
    "_starts" := case
      when "_until_start" > "_window" / 1000 then 0
      else floor(("_window" / 1000 - "_until_start") * "_per_second") + 1
    end;
    "_granted" := least("_granted", "_starts" - "_others_waiting" - "_waiting");
  end if;
  "_granted" := greatest("_granted", 0);
  if "_held" + "_granted" > 0 then
    insert into "poll_permit" ("engine", "worker", "held", "waiting", "beat_at")
    values ("_engine", "_worker", "_held" + "_granted", "_waiting" + "_granted", "_now")
    on conflict ("engine", "worker") do update
    set "held" = excluded."held", "waiting" = excluded."waiting", "beat_at" = excluded."beat_at";
  else
    delete from "poll_permit" where "engine" = "_engine" and "worker" = "_worker";
  end if;
  return "_granted";
end
$$`;
