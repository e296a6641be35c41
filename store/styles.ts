/** Encoded styles. They remain when the artwork that encoded them is purged. */
import type { Database } from './database.ts';
import { type ApiKey, Style } from './entities.ts';

/**
 * Returns the condition by which a generator key finds its own styles, and other keys find those of their organization.
 */
const visible = (key: ApiKey) => ({ org: key.org, ...(key.scope === 'generator' && { key: key.id }) });

export function findStyle(db: Database, key: ApiKey, id: string): Promise<Style | null> {
  return db.em().findOne(Style, { ...visible(key), id });
}

/** Returns styles, newest first. @param before the last id of the previous page */
export function listStyles(db: Database, key: ApiKey, limit: number, before: string | null): Promise<Style[]> {
  const where = { ...visible(key), ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(Style, where, { orderBy: { id: 'desc' }, limit });
}

/** @returns whether the style existed */
export async function deleteStyle(db: Database, key: ApiKey, id: string): Promise<boolean> {
  return (await db.em().nativeDelete(Style, { ...visible(key), id })) > 0;
}
