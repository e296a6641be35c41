/** Credits: reservations, charges and grants. Ledger entries are never updated; old ones become one grant per key. */
import { CheckConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Author, operator, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { type Artwork, LedgerEntry } from './entities.ts';
import { addCredits } from './usage.ts';
import { sumsByKind } from './verify-ledger.ts';

type Reserved = Pick<Artwork, 'id' | 'key' | 'operation'> & { reserved: number };

/**
 * Reserves the price of an artwork, in the transaction that inserts the artwork. It must be the last statement of that
 * transaction, because other reservations of the key wait for the commit.
 * @throws an error that `isOutOfCredits` accepts when the key has too few credits
 */
export async function reserve(em: EntityManager, artwork: Reserved, now: Date): Promise<void> {
  const { id: reference, key, operation, reserved } = artwork;
  if (reserved === 0) return;
  await em.insert(LedgerEntry, { reference, kind: 'reserve', key, operation, amount: -reserved, createdAt: now });
}

/** Returns whether a reservation is settled. The caller must hold the lock of the artwork's row. */
export async function isSettled(em: EntityManager, reference: string): Promise<boolean> {
  return (await em.count(LedgerEntry, { reference, kind: 'release' })) > 0;
}

/**
 * Releases a reservation and charges the final price once, in the transaction that ends or deletes the artwork. The
 * caller must hold the lock of the artwork's row.
 * @param charged credits; 0 unless the artwork has succeeded
 */
export async function settle(em: EntityManager, artwork: Reserved, charged: number, now: Date): Promise<void> {
  const { id: reference, key, operation, reserved } = artwork;
  if (reserved === 0) return;
  const entry = { reference, key, operation, createdAt: now };
  const entries = [{ ...entry, kind: 'release' as const, amount: reserved }];
  // One insert of both entries, because a trigger adds their sum to the balance: the difference, or nothing if it is 0.
  await em.insertMany(
    LedgerEntry,
    charged > 0 ? [...entries, { ...entry, kind: 'charge' as const, amount: -charged }] : entries,
  );
  if (charged > 0) await addCredits(em, { key, day: now.toISOString().slice(0, 10), operation, credits: charged });
}

/** The constraint that keeps a balance from falling below 0. */
const balanceCheck = 'api_key_credits_check';

/** Returns whether a transaction failed because the key has too few credits. */
export function isOutOfCredits(error: unknown): boolean {
  return (
    error instanceof CheckConstraintViolationException && 'constraint' in error && error.constraint === balanceCheck
  );
}

/**
 * Changes a key's balance on behalf of the operator and records the change in the audit log.
 * @param amount credits; a negative number removes credits
 * @returns the new balance, or null when the organization has no such key
 * @throws an error that `isOutOfCredits` accepts when the key has too few credits
 */
export async function grantCredits(
  db: Database,
  { orgId, keyId }: { orgId: string; keyId: string },
  amount: number,
  now: Date,
  author: Author = operator,
): Promise<number | null> {
  // A trigger writes the ledger entry.
  return db.em().transactional(async (em) => {
    const rows = await em.execute<{ credits: string }[]>(
      `update api_key
       set credits = credits + ?
       where id = ? and org_id = ?
       returning credits`,
      [amount, keyId, orgId],
    );
    if (!rows[0]) return null;
    const credits = Number(rows[0].credits);
    const changes = { credits: { from: credits - amount, to: credits } };
    await recordChange(em, author, { org: orgId, action: 'api_key.updated', target: keyId, changes, at: now });
    return credits;
  });
}

export interface Statement {
  keyId: string;
  /** The balance. */
  credits: number;
  granted: number;
  /** Reserved for unfinished artworks. */
  reserved: number;
  charged: number;
}

/** Returns a statement for each key of an organization, newest key first. */
export async function listStatements(db: Database, orgId: string): Promise<Statement[]> {
  const rows = await db.em().execute<Record<keyof Statement, string>[]>(
    `select
       id as "keyId",
       credits,
       coalesce(total.granted, 0) + recent.granted as granted,
       coalesce(total.reserved, 0) + recent.reserved as reserved,
       coalesce(total.charged, 0) + recent.charged as charged
     from api_key
     left join ledger_total as total on total.key_id = id
     cross join lateral (
       select ${sumsByKind}
       from ledger_entry
       where key_id = id and created_at >= (select at from ledger_mark where name = 'verified')
     ) as recent
     where org_id = ?
     order by id desc`,
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

/** Returns ledger entries, newest first. */
export function listEntries(db: Database, keyId: string, limit: number): Promise<LedgerEntry[]> {
  return db.em().find(LedgerEntry, { key: keyId }, { orderBy: { createdAt: 'desc', reference: 'desc' }, limit });
}
