/** Encoded styles. They remain when the artwork that encoded them is purged. */
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
export async function deleteStyle(db: Database, key: ApiKey, id: string): Promise<boolean> {
  return (await db.em().nativeDelete(Style, { ...usableBy(key, 'style', 'change'), id })) > 0;
}
