/** Folds old entries of the ledger: replaces those of each key by one grant with their sum. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { endOfSlice, isSettled, lockMark, setMark } from './verify-ledger.ts';

/** Milliseconds for which entries are kept: operators can list every entry of the last month. */
const ledgerRetention = 35 * 86_400_000;

/** Returns the reference of a key's folded entries. */
export const openingOf = (key: string) => `opening_${key}`;

/** Allows the rest of a transaction to replace entries by their sum. All other changes of entries are refused. */
export async function allowFold(em: EntityManager): Promise<void> {
  await em.execute(`select set_config('atelier.folding', 'on', true)`);
}

/**
 * Folds the next slice of verified entries. It skips entries whose artwork is still stored, because its settlement looks
 * for the release entry, and references that are not settled correctly, so that `credits check` still finds them.
 * @param size maximum entries
 * @returns false when nothing is left to fold, or when another process folds
 */
export function foldSlice(db: Database, now: Date, size: number): Promise<boolean> {
  return db.em().transactional(async (em) => {
    const from = await lockMark(em, 'folded');
    const limit = await limitOfFold(em, now);
    if (from === null || from >= limit) return false;
    const to = await endOfSlice(em, from, limit, size);
    await allowFold(em);
    await replaceEntries(em, { from, to });
    await setMark(em, 'folded', to);
    return true;
  });
}

/**
 * Returns the time before which entries may be folded: the retention, the verified mark, or the creation of the oldest
 * artwork, whichever is earliest. Entries of an artwork are not older than the artwork.
 */
async function limitOfFold(em: EntityManager, now: Date): Promise<Date> {
  const [row] = await em.execute<[{ limit: string | Date }]>(
    `select least(
       ?::timestamptz,
       (select at from ledger_mark where name = 'verified'),
       (select created_at from artwork where id > 'art_' order by id limit 1)
     ) as limit`,
    [new Date(now.getTime() - ledgerRetention)],
  );
  return new Date(row.limit);
}

async function replaceEntries(em: EntityManager, { from, to }: { from: Date; to: Date }): Promise<void> {
  const removed = await em.execute<{ key: string; amount: string }[]>(
    `with
       complete as (
         select reference
         from ledger_entry
         where reference in (
             select reference from ledger_entry where created_at >= ? and created_at < ? and kind <> 'grant'
           )
         group by reference
         having ${isSettled}
           and max(created_at) < (select at from ledger_mark where name = 'verified')
           and not exists (select from artwork where id = reference)
       ),
       settled as (
         delete from ledger_entry
         where reference in (select reference from complete)
         returning key_id, amount
       ),
       granted as (
         delete from ledger_entry
         where kind = 'grant' and created_at >= ? and created_at < ?
         returning key_id, amount
       )
     select key_id as key, sum(amount) as amount
     from (select * from settled union all select * from granted) as removed
     group by key_id`,
    [from, to, from, to],
  );
  for (const { key, amount } of removed) await addToOpening(em, { key, amount, at: new Date(to.getTime() - 1) });
}

/** Adds to the opening grant of a key. There is none while the sum is 0, because no entry may be 0. */
export async function addToOpening(
  em: EntityManager,
  { key, amount, at }: { key: string; amount: string; at: Date },
): Promise<void> {
  await em.execute(
    `with earlier as (
       delete from ledger_entry
       where reference = ? and kind = 'grant'
       returning amount
     )
     insert into ledger_entry (reference, kind, key_id, amount, created_at)
     select ?, 'grant', ?, total, ?
     from (select ?::bigint + coalesce((select amount from earlier), 0) as total) as opened
     where total <> 0`,
    [openingOf(key), openingOf(key), key, at, amount],
    'run',
  );
}
