/** Verifies the ledger in slices of time, so that a check of the whole ledger reads only what has not been verified yet. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { firstId } from './ids.ts';

/**
 * Milliseconds before an entry is verified. Longer than an entry takes from its `createdAt` to its commit
 * (`latestInsert` in `services/create-artwork.ts`), so that no entry appears in a verified slice.
 */
const verifiedAfter = 15 * 60_000;

/**
 * Adds the next slice of entries to the totals of their keys, and records the references that are not settled correctly.
 * @param size maximum entries, and maximum artworks
 * @returns false when nothing is left to verify, or when another process verifies
 */
export function verifySlice(db: Database, now: Date, size: number): Promise<boolean> {
  return db.em().transactional(async (em) => {
    const from = await lockMark(em, 'verified');
    const limit = new Date(now.getTime() - verifiedAfter);
    if (from === null || from >= limit) return false;
    const to = await endOfSlice(em, from, limit, size);
    await addTotals(em, from, to);
    await addUnsettled(em, from, to);
    await setMark(em, 'verified', to);
    return true;
  });
}

/**
 * Deletes the references that have been settled correctly since they were recorded, or that nothing is left of, because
 * their key is deleted. Skips those at which another process looks.
 * @param after the last reference of the slice before; an empty text begins
 * @param size maximum references
 * @returns the last reference of the slice; null when none is left
 */
export async function forgetSettled(db: Database, after: string, size: number): Promise<string | null> {
  const [row] = await db.em().execute<[{ last: string | null }]>(
    `with
       slice as (
         select reference
         from ledger_unsettled
         where reference > ?
         order by reference
         limit ?
         for update skip locked
       ),
       deleted as (
         delete from ledger_unsettled
         where reference in (
             select slice.reference
             from slice
             left join ledger_entry on ledger_entry.reference = slice.reference
             group by slice.reference
             having (${isSettled})
               or (count(kind) = 0 and not exists (select from artwork where id = slice.reference))
           )
       )
     select max(reference) as last from slice`,
    [after, size],
  );
  return row.last;
}

/** Whether a reference has been reserved and released, and charged for no more than was reserved. */
export const isSettled = `count(*) filter (where kind = 'reserve') = 1
  and sum(amount) filter (where kind <> 'charge') = 0
  and coalesce(sum(amount) filter (where kind = 'charge'), 0) >= sum(amount) filter (where kind = 'reserve')`;

/** Locks a mark until the transaction ends. Returns null if another process has locked it. */
export async function lockMark(em: EntityManager, name: 'verified' | 'folded'): Promise<Date | null> {
  const rows = await em.execute<{ at: string | Date }[]>(
    'select at from ledger_mark where name = ? for update skip locked',
    [name],
  );
  return rows[0] ? new Date(rows[0].at) : null;
}

export async function setMark(em: EntityManager, name: 'verified' | 'folded', at: Date): Promise<void> {
  await em.execute('update ledger_mark set at = ? where name = ?', [at, name], 'run');
}

/**
 * Returns the end of a slice: the time of the entry or artwork number `size`, or `limit` if that is earlier. At least a
 * millisecond after `from`.
 */
export async function endOfSlice(em: EntityManager, from: Date, limit: Date, size: number): Promise<Date> {
  const [row] = await em.execute<[{ to: string | Date }]>(
    `select greatest(
       least(
         (select created_at from ledger_entry where created_at >= ? order by created_at offset ? limit 1),
         (select created_at from artwork where id >= ? order by id offset ? limit 1),
         ?::timestamptz
       ),
       ?::timestamptz
     ) as to`,
    [from, size, firstId('art', from), size, limit, new Date(from.getTime() + 1)],
  );
  return new Date(row.to);
}

async function addTotals(em: EntityManager, from: Date, to: Date): Promise<void> {
  await em.execute(
    `insert into ledger_total as total (key_id, granted, reserved, charged)
     select key_id, ${sumsByKind}
     from ledger_entry
     where created_at >= ? and created_at < ?
     group by key_id
     order by key_id
     on conflict (key_id) do update
     set
       granted = total.granted + excluded.granted,
       reserved = total.reserved + excluded.reserved,
       charged = total.charged + excluded.charged`,
    [from, to],
    'run',
  );
}

/** The sums of grants, open reservations and charges. */
export const sumsByKind = `
  coalesce(sum(amount) filter (where kind = 'grant'), 0) as granted,
  coalesce(-sum(amount) filter (where kind in ('reserve', 'release')), 0) as reserved,
  coalesce(-sum(amount) filter (where kind = 'charge'), 0) as charged`;

async function addUnsettled(em: EntityManager, from: Date, to: Date): Promise<void> {
  await em.execute(
    `insert into ledger_unsettled (reference)
     select reference
     from ledger_entry
     where reference in (
         select reference from ledger_entry where created_at >= ? and created_at < ? and kind <> 'grant'
       )
     group by reference
     having not (${isSettled})
     union
     select id
     from artwork
     where id >= ? and id < ?
       and reserved > 0
       and not exists (select from ledger_entry where reference = id and kind = 'reserve')
     on conflict do nothing`,
    [from, to, firstId('art', from), firstId('art', to)],
    'run',
  );
}
