/** Encoded styles. They remain when the artwork that encoded them is purged. */
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { type ApiKey, Style } from './entities.ts';
import { usableBy } from './usable.ts';

/** @returns null when there is no such style, or the key may not read it */
export function findStyle(db: Database, key: ApiKey, id: string): Promise<Style | null> {
  return db.em().findOne(Style, { ...usableBy(key, 'style', 'read'), id });
}

/** Returns the styles that a key may read, newest first. @param before the last id of the previous page */
export function listStyles(db: Database, key: ApiKey, limit: number, before: string | null): Promise<Style[]> {
  const where = { ...usableBy(key, 'style', 'read'), ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(Style, where, { orderBy: { id: 'desc' }, limit });
}

/** @returns false when there is no such style, or the key may not delete it */
export function deleteStyle(db: Database, key: ApiKey, id: string, at: Date, author: Author): Promise<boolean> {
  return db.em().transactional(async (em) => {
    if ((await em.nativeDelete(Style, { ...usableBy(key, 'style', 'change'), id })) === 0) return false;
    await recordChange(em, author, { org: key.org, action: 'style.deleted', target: id, changes: {}, at });
    return true;
  });
}
