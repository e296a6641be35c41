/** Finds inconsistencies of the ledger: balances that differ from it, and reservations that nothing will settle. */
import type { Database } from './database.ts';
import { firstId } from './ids.ts';

export interface LedgerFault {
  /** The id of a key or an artwork. */
  id: string;
  fault: string;
}

/** Reads every entry. It takes about a second for a million entries. */
export async function findAllFaults(db: Database): Promise<LedgerFault[]> {
  return sorted([...(await findWrongBalances(db, null)), ...(await findUnsettled(db, null))]);
}

/**
 * Reads the entries since the last verification, and the references that were not settled correctly then. A change to a
 * verified entry is found only by `findAllFaults`.
 */
export async function findFaults(db: Database): Promise<LedgerFault[]> {
  const suspects = await findSuspectKeys(db);
  const balances = suspects.length > 0 ? await findWrongBalances(db, suspects) : [];
  return sorted([...balances, ...(await findUnsettled(db, await verifiedUntil(db)))]);
}

const sorted = (faults: readonly LedgerFault[]) => faults.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Returns the keys whose balances differ from their verified total and the entries since. */
async function findSuspectKeys(db: Database): Promise<string[]> {
  const rows = await db.em().execute<{ id: string }[]>(
    `select id
     from api_key
     left join ledger_total on ledger_total.key_id = id
     left join (
       select key_id, sum(amount) as amount
       from ledger_entry
       where created_at >= (select at from ledger_mark where name = 'verified')
       group by key_id
     ) as recent on recent.key_id = id
     where credits <> coalesce(granted - reserved - charged, 0) + coalesce(amount, 0)`,
  );
  return rows.map(({ id }) => id);
}

/** @param keys null: all */
async function findWrongBalances(db: Database, keys: readonly string[] | null): Promise<LedgerFault[]> {
  const condition = (column: string) => (keys ? `${column} in (${keys.map(() => '?').join()})` : 'true');
  return db.em().execute<LedgerFault[]>(
    `select id, 'has ' || credits || ' credits, but its ledger has ' || total as fault
     from (
       select id, credits, coalesce(amount, 0) as total
       from api_key
       left join (
         select key_id, sum(amount) as amount
         from ledger_entry
         where ${condition('key_id')}
         group by key_id
       ) as ledger on key_id = id
       where ${condition('id')}
     ) as balance
     where credits <> total`,
    [...(keys ?? []), ...(keys ?? [])],
  );
}

async function verifiedUntil(db: Database): Promise<Date> {
  const [row] = await db.em().execute<[{ at: string | Date }]>(`select at from ledger_mark where name = 'verified'`);
  return new Date(row.at);
}

/** The references of everything that is not verified: what has been created since, and what was not settled before. */
const unverified = `
  select reference from ledger_unsettled
  union
  select reference from ledger_entry where created_at >= ? and kind <> 'grant'
  union
  select id from artwork where id >= ? and reserved > 0
  union
  select id from artwork where id >= ? and id < 'art_' and reserved > 0`;

/** @param since the end of the verified part; null: reads everything */
async function findUnsettled(db: Database, since: Date | null): Promise<LedgerFault[]> {
  const among = (column: string) => (since ? `${column} in (select reference from unverified)` : 'true');
  return db.em().execute<LedgerFault[]>(
    `with
       ${since ? `unverified (reference) as (${unverified}),` : ''}
       settlement as (
         select
           reference,
           count(*) filter (where kind = 'reserve') > count(*) filter (where kind = 'release') as is_open,
           coalesce(sum(amount) filter (where kind = 'reserve'), 0) as reserved,
           sum(amount) filter (where kind = 'release') as released,
           sum(amount) filter (where kind = 'charge') as charged
         from ledger_entry
         where kind <> 'grant' and ${among('reference')}
         group by reference
       )
     select reference as id, 'has ended, but its reservation is open' as fault
     from settlement
     where is_open and not exists (select from artwork where id = reference and finished_at is null)
     union all
     select reference, 'was charged ' || -charged || ', but only ' || -reserved || ' were reserved'
     from settlement
     where charged < reserved
     union all
     select reference, 'was released ' || released || ', but ' || -reserved || ' were reserved'
     from settlement
     where released <> -reserved
     union all
     select id, 'has a price, but no reservation'
     from artwork
     where reserved > 0
       and ${among('id')}
       and not exists (select from ledger_entry where reference = id and kind = 'reserve')
     union all
     select id, 'has not ended, but its reservation is settled'
     from artwork
     where reserved > 0
       and finished_at is null
       and exists (select from ledger_entry where reference = id and kind = 'release')`,
    since ? [since, firstId('art', since), firstId('ans', since)] : [],
  );
}
