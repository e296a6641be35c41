/** Encoded styles: they stay when the artwork that encoded them is purged. */
import type { Database } from './database.ts';
import { type ApiKey, Style } from './entities.ts';

/** As with artworks: a generator key finds its own, others all of their organization. */
const visible = (key: ApiKey) => ({ org: key.org, ...(key.scope === 'generator' && { key: key.id }) });

export function findStyle(db: Database, key: ApiKey, id: string): Promise<Style | null> {
  return db.em().findOne(Style, { ...visible(key), id });
}

/** Newest first. @param before the id that the page begins after */
export function listStyles(db: Database, key: ApiKey, limit: number, before: string | null): Promise<Style[]> {
  const where = { ...visible(key), ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(Style, where, { orderBy: { id: 'desc' }, limit });
}

/** @returns whether there was one */
export async function deleteStyle(db: Database, key: ApiKey, id: string): Promise<boolean> {
  return (await db.em().nativeDelete(Style, { ...visible(key), id })) > 0;
}
