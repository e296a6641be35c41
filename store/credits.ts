/** Credits: what is set aside for an artwork, and what becomes of it. Each entry of the ledger happens once. */
import { CheckConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { operator, record } from './audit.ts';
import type { Database } from './database.ts';
import { type Artwork, LedgerEntry } from './entities.ts';
import { addCredits } from './usage.ts';

type Reserved = Pick<Artwork, 'id' | 'key' | 'operation'> & { reserved: number };

/**
 * Takes the price of an artwork from its key, in the transaction that stores it. From here to the commit the key's
 * other reservations wait, so it is that transaction's last statement.
 * @throws an error that `isOutOfCredits` when the key has too few
 */
export async function reserve(em: EntityManager, artwork: Reserved, now: Date): Promise<void> {
  const { id: reference, key, operation, reserved } = artwork;
  if (reserved === 0) return;
  await em.insert(LedgerEntry, { reference, kind: 'reserve', key, operation, amount: -reserved, createdAt: now });
}

/** Whether a reservation has ended. The caller holds the lock of the artwork's row. */
export async function isSettled(em: EntityManager, reference: string): Promise<boolean> {
  return (await em.count(LedgerEntry, { reference, kind: 'release' })) > 0;
}

/**
 * Gives a reservation back and takes what the artwork has cost, once, in the transaction that ends or removes it. The
 * caller holds the lock of the artwork's row.
 * @param charged credits; 0 unless it has succeeded
 */
export async function settle(em: EntityManager, artwork: Reserved, charged: number, now: Date): Promise<void> {
  const { id: reference, key, operation, reserved } = artwork;
  if (reserved === 0) return;
  const entry = { reference, key, operation, createdAt: now };
  const entries = [{ ...entry, kind: 'release' as const, amount: reserved }];
  // One statement: the balance changes by the difference, and not at all when the price was exact.
  await em.insertMany(
    LedgerEntry,
    charged > 0 ? [...entries, { ...entry, kind: 'charge' as const, amount: -charged }] : entries,
  );
  if (charged > 0) await addCredits(em, { key, day: now.toISOString().slice(0, 10), operation, credits: charged });
}

const check = 'api_key_credits_check';

/** Whether a transaction failed because it would have taken more than the key has. */
export function isOutOfCredits(error: unknown): boolean {
  return error instanceof CheckConstraintViolationException && 'constraint' in error && error.constraint === check;
}

/**
 * Changes a key's balance by the operator's hand, which the trail of changes tells.
 * @param amount credits; less than 0 takes them away
 * @returns the new balance, or null when the organization has no such key
 * @throws an error that `isOutOfCredits` when the key has too few
 */
export async function grant(
  db: Database,
  orgId: string,
  keyId: string,
  amount: number,
  now: Date,
): Promise<number | null> {
  // A trigger enters it into the ledger.
  return db.em().transactional(async (em) => {
    const rows = await em.execute<{ credits: string }[]>(
      'update api_key set credits = credits + ? where id = ? and org_id = ? returning credits',
      [amount, keyId, orgId],
    );
    if (!rows[0]) return null;
    const credits = Number(rows[0].credits);
    const changes = { credits: { from: credits - amount, to: credits } };
    await record(em, operator, { org: orgId, action: 'api_key.updated', target: keyId, changes, at: now });
    return credits;
  });
}

export interface Statement {
  keyId: string;
  /** What is left. */
  credits: number;
  granted: number;
  /** Set aside for artworks that have not ended. */
  reserved: number;
  charged: number;
}

/** Of all keys of an organization, newest key first. */
export async function listStatements(db: Database, orgId: string): Promise<Statement[]> {
  const rows = await db.em().execute<Record<keyof Statement, string>[]>(
    `select api_key.id as "keyId", credits,
       coalesce(sum(amount) filter (where kind = 'grant'), 0) as granted,
       coalesce(-sum(amount) filter (where kind in ('reserve', 'release')), 0) as reserved,
       coalesce(-sum(amount) filter (where kind = 'charge'), 0) as charged
     from api_key left join ledger_entry on key_id = api_key.id where org_id = ?
     group by api_key.id order by api_key.id desc`,
    [orgId],
  );
  return rows.map(({ keyId, credits, granted, reserved, charged }) => ({
    keyId,
    credits: Number(credits),
    granted: Number(granted),
    reserved: Number(reserved),
    charged: Number(charged),
  }));
}

/** Newest first. */
export function listEntries(db: Database, keyId: string, limit: number): Promise<LedgerEntry[]> {
  return db.em().find(LedgerEntry, { key: keyId }, { orderBy: { createdAt: 'desc', reference: 'desc' }, limit });
}

export interface Fault {
  /** Of a key or of an artwork. */
  id: string;
  fault: string;
}

/** What must never be found: balances that are not the sum of their ledger, reservations that nothing will end. */
export async function findFaults(db: Database): Promise<Fault[]> {
  return db.em().execute<Fault[]>(
    `select id, 'has ' || credits || ' credits, its ledger ' || total as fault
       from (select api_key.id, credits, coalesce(sum(amount), 0) as total
             from api_key left join ledger_entry on key_id = api_key.id group by api_key.id) as balance
       where credits <> total
     union all
     select reference, 'has ended, but its reservation has not'
       from ledger_entry group by reference
       having count(*) filter (where kind = 'reserve') > count(*) filter (where kind = 'release')
       and not exists (select from artwork where id = reference and finished_at is null)
     union all
     select reference, 'was charged ' || -sum(amount) filter (where kind = 'charge') || ' of '
         || -coalesce(sum(amount) filter (where kind = 'reserve'), 0)
       from ledger_entry where kind <> 'grant' group by reference
       having sum(amount) filter (where kind = 'charge') < coalesce(sum(amount) filter (where kind = 'reserve'), 0)
     union all
     select id, 'has a price, but no reservation'
       from artwork where reserved > 0 and not exists (select from ledger_entry where reference = id and kind = 'reserve')
     union all
     select id, 'has not ended, but its reservation has'
       from artwork where reserved > 0 and finished_at is null
       and exists (select from ledger_entry where reference = id and kind = 'release')
     order by 1`,
  );
}
