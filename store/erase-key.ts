/** Deletes a key with its ledger, and then an organization, once nothing else of them is left. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { ApiKey, Artwork, LedgerEntry, Organization, RateLimit, Style, UploadedFile } from './entities.ts';
import { addToOpening, allowFold, openingOf } from './fold-ledger.ts';
import { sharedRateNames } from './shared-rates.ts';

/** Returns the number of a key's ledger entries. */
export function countEntries(db: Database, key: string): Promise<number> {
  return db.em().count(LedgerEntry, { key });
}

/**
 * Deletes the ledger entries of some references of a key, and adds their sum to the one entry that remains, so that the
 * balance equals the ledger until the key is deleted. Returns how many entries it has deleted; 0: only that one is left.
 * @param size maximum references
 */
export function eraseEntries(db: Database, key: string, now: Date, size = 500): Promise<number> {
  return db.em().transactional(async (em) => {
    await allowFold(em);
    const removed = await em.execute<{ amount: string }[]>(
      `with
         chosen as (
           select distinct reference
           from (select reference from ledger_entry where key_id = ? and reference <> ? limit ?) as found
         ),
         forgotten as (delete from ledger_unsettled where reference in (select reference from chosen))
       delete from ledger_entry
       where reference in (select reference from chosen) and key_id = ?
       returning amount`,
      [key, openingOf(key), size, key],
    );
    if (removed.length === 0) return 0;
    const amount = removed.reduce((sum, entry) => sum + BigInt(entry.amount), 0n);
    await addToOpening(em, { key, amount: String(amount), at: now });
    return removed.length;
  });
}

/**
 * Deletes a key and the rows that refer to it. Locks it first, so that no request can add an object of it meanwhile.
 * @returns false when the key still has artworks, files or styles
 */
export function eraseKey(db: Database, id: string): Promise<boolean> {
  return db.em().transactional(async (em) => {
    await em.execute('select from api_key where id = ? for update', [id]);
    const left = [em.count(Artwork, { key: id }), em.count(UploadedFile, { key: id }), em.count(Style, { key: id })];
    if ((await Promise.all(left)).some((count) => count > 0)) return false;
    await em.nativeDelete(ApiKey, { id });
    await em.nativeDelete(RateLimit, { key: { $in: [`creations:${id}`, `others:${id}`] } });
    return true;
  });
}

/**
 * Deletes the row of an organization, and with it the webhook secrets and all rows that refer to it.
 * @returns `kept` when it still has keys; `absent` when there is no such organization
 */
export function eraseOrganizationRow(db: Database, id: string): Promise<'erased' | 'kept' | 'absent'> {
  return db.em().transactional(async (em) => {
    if (!(await isLocked(em, id))) return 'absent';
    if (await em.count(ApiKey, { org: id })) return 'kept';
    await em.nativeDelete(Organization, { id });
    await em.nativeDelete(RateLimit, { key: { $in: sharedRateNames(id) } });
    return 'erased';
  });
}

/** Locks the row of an organization. Returns whether there is one. */
async function isLocked(em: EntityManager, id: string): Promise<boolean> {
  return (await em.execute<unknown[]>('select from organization where id = ? for update', [id])).length > 0;
}
