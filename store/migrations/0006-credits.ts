/** Credits: a ledger and a balance that cannot differ, prices of artworks, and idempotency keys. */
import { Migration } from '@mikro-orm/migrations';

export class Credits extends Migration {
  override up(): void {
    this.addSql(`
      alter table "api_key"
        alter column "credits" type bigint
    `);
    this.addSql(`
      alter table "api_key"
        add constraint "api_key_credits_check"
          check (credits >= 0)
    `);
    this.addSql(`
      alter table "artwork"
        add column "idempotency_key" bytea null,
        add column "request_digest" bytea null,
        add column "reserved" int not null default 0,
        add column "tariff" jsonb null,
        add column "charged" int not null default 0
    `);
    this.addSql(`
      create unique index "artwork_idempotency_key_unique"
        on "artwork" ("key_id", "idempotency_key")
        where idempotency_key is not null
    `);
    this.addSql(`
      create table "ledger_entry" (
        "reference" text not null,
        "kind" text not null,
        "key_id" text not null,
        "operation" text null,
        "amount" bigint not null,
        "created_at" timestamptz(3) not null,
        primary key ("reference", "kind")
      )
    `);
    this.addSql(`create index "ledger_entry_key_id_created_at_index" on "ledger_entry" ("key_id", "created_at")`);
    this.addSql(`
      alter table "ledger_entry"
        add constraint "ledger_entry_kind_check"
          check ("kind" in ('grant', 'reserve', 'release', 'charge'))
    `);
    this.addSql(`
      alter table "ledger_entry"
        add constraint "ledger_entry_amount_check"
          check (amount <> 0 and (kind = 'grant' or (amount > 0) = (kind = 'release')))
    `);
    this.addSql(`
      alter table "ledger_entry"
        add constraint "ledger_entry_key_id_foreign"
          foreign key ("key_id")
          references "api_key" ("id")
          on delete cascade
    `);
    // The credits that keys had before there was a ledger.
    this.addSql(`
      insert into "ledger_entry" ("reference", "kind", "key_id", "amount", "created_at")
      select 'grant_' || gen_random_uuid(), 'grant', "id", "credits", now()
      from "api_key"
      where "credits" <> 0
    `);
    this.keepBalanceEqualToLedger();
  }

  /**
   * A new ledger entry changes the balance, and a change of the balance adds a `grant` entry with the difference.
   * Therefore the two stay equal when a release writes only one of them. The trigger depth is 0 for a statement of ours
   * and higher for a statement of one of these triggers.
   */
  private keepBalanceEqualToLedger(): void {
    this.addSql(`
      create function "follow_ledger"() returns trigger language plpgsql as $$
      begin
        update "api_key"
        set "credits" = "credits" + "change"."amount"
        from (select "key_id", sum("amount") as "amount" from "entered" group by "key_id") as "change"
        where "api_key"."id" = "change"."key_id" and "change"."amount" <> 0;
        return null;
      end
      $$
    `);
    this.addSql(`
      create trigger "ledger_followed"
        after insert on "ledger_entry"
        referencing new table as "entered"
        for each statement
        when (pg_trigger_depth() = 0)
        execute function "follow_ledger"()
    `);
    this.addSql(`
      create function "enter_grant"() returns trigger language plpgsql as $$
      begin
        insert into "ledger_entry" ("reference", "kind", "key_id", "amount", "created_at")
        values (
          'grant_' || gen_random_uuid(),
          'grant',
          new."id",
          new."credits" - coalesce(old."credits", 0),
          now()
        );
        return null;
      end
      $$
    `);
    this.addSql(`
      create trigger "credits_given"
        after insert on "api_key"
        for each row
        when (pg_trigger_depth() = 0 and new."credits" <> 0)
        execute function "enter_grant"()
    `);
    this.addSql(`
      create trigger "credits_set"
        after update of "credits" on "api_key"
        for each row
        when (pg_trigger_depth() = 0 and new."credits" <> old."credits")
        execute function "enter_grant"()
    `);
    this.addSql(`
      create function "refuse_change"() returns trigger language plpgsql as $$
      begin
        raise exception 'entries of the ledger are never changed';
      end
      $$
    `);
    // Entries are deleted only with their key, by the foreign key.
    this.addSql(`
      create trigger "ledger_kept"
        before update or delete on "ledger_entry"
        for each row
        when (pg_trigger_depth() = 0)
        execute function "refuse_change"()
    `);
  }
}
