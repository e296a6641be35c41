/** The tables that keep the ledger small and quick to check. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const growthIndexes: readonly OnlineIndex[] = [
  { name: 'ledger_entry_created_at_index', definition: `on "ledger_entry" ("created_at")` },
];

export class Growth extends Migration {
  override up(): void {
    this.addSql(`
      create table "ledger_mark" (
        "name" text primary key,
        "at" timestamptz(3) not null,
        constraint "ledger_mark_name_check" check ("name" in ('verified', 'folded'))
      )
    `);
    this.addSql(`insert into "ledger_mark" ("name", "at") values ('verified', 'epoch'), ('folded', 'epoch')`);
    this.addSql(`
      create table "ledger_total" (
        "key_id" text primary key,
        "granted" bigint not null,
        "reserved" bigint not null,
        "charged" bigint not null,
        constraint "ledger_total_key_id_foreign"
          foreign key ("key_id") references "api_key" ("id") on update cascade on delete cascade
      )
    `);
    this.addSql(`create table "ledger_unsettled" ("reference" text primary key)`);
    this.allowFolds();
  }

  /** A fold replaces old entries by their sum, so it may change entries, and it must not change a balance. */
  private allowFolds(): void {
    this.addSql(`
      create or replace function "follow_ledger"() returns trigger language plpgsql as $$
      begin
        if current_setting('atelier.folding', true) = 'on' then
          return null;
        end if;
        update "api_key"
        set "credits" = "credits" + "change"."amount"
        from (select "key_id", sum("amount") as "amount" from "entered" group by "key_id") as "change"
        where "api_key"."id" = "change"."key_id" and "change"."amount" <> 0;
        return null;
      end
      $$
    `);
    this.addSql(`
      create or replace function "refuse_change"() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('atelier.folding', true) = 'on' then
          return old;
        end if;
        raise exception 'entries of the ledger are never changed';
      end
      $$
    `);
  }
}
