/** The rows of one organization: goes through them, counts them and deletes them in batches, for its erasure. */
import type { Database } from './database.ts';
import { ApiKey, Artwork, Job, UploadedFile } from './entities.ts';

/** Tables whose rows a statement can delete by organization, without files or workflows. */
export const plainTables = ['style', 'usage', 'audit_entry', 'audit_seal', 'failing_destination'] as const;
export type PlainTable = (typeof plainTables)[number];

/** Maximum rows that one statement deletes, which takes a fraction of a second. */
export const deletionSize = 2000;

export type OwnedArtwork = Pick<Artwork, 'id' | 'status'>;

/** Returns artworks, synchronous requests, claims and tombstones in the order of their ids. @param after the last id of the previous page */
export function pageOfOwned(db: Database, org: string, after: string, limit: number): Promise<OwnedArtwork[]> {
  const where = { org, id: { $gt: after } };
  return db.em().find(Artwork, where, { fields: ['id', 'status'], orderBy: { id: 'asc' }, limit });
}

export type OwnedUpload = Pick<UploadedFile, 'id' | 'bytes'>;

/** Returns uploaded files in the order of their ids. @param after the last id of the previous page */
export function pageOfUploads(db: Database, org: string, after: string, limit: number): Promise<OwnedUpload[]> {
  const where = { org, id: { $gt: after } };
  return db.em().find(UploadedFile, where, { fields: ['id', 'bytes'], orderBy: { id: 'asc' }, limit });
}

/** Returns keys in the order of their ids. @param after the last id of the previous page */
export function pageOfKeys(db: Database, org: string, after: string, limit: number): Promise<Pick<ApiKey, 'id'>[]> {
  const where = { org, id: { $gt: after } };
  return db.em().find(ApiKey, where, { fields: ['id'], orderBy: { id: 'asc' }, limit });
}

export interface Measure {
  files: number;
  bytes: number;
  /** Jobs at providers that have not ended. */
  jobs: number;
}

/** Counts the images and the open jobs of artworks. An input image counts once a worker has prepared it. */
export async function measureArtworks(db: Database, ids: readonly string[]): Promise<Measure> {
  if (ids.length === 0) return { files: 0, bytes: 0, jobs: 0 };
  const em = db.em();
  const artwork = { $in: [...ids] };
  const [images] = await em.execute<[{ files: string; bytes: string }]>(
    `select count(*) as files, coalesce(sum(bytes), 0) as bytes
     from image
     where artwork_id in (${ids.map(() => '?').join()})`,
    [...ids],
  );
  const jobs = await em.count(Job, { artwork, remoteId: { $ne: null }, endedAt: null });
  return { files: Number(images.files), bytes: Number(images.bytes), jobs };
}

/** Returns the number of rows of an organization. */
export async function countRows(db: Database, table: PlainTable, org: string): Promise<number> {
  const [row] = await db
    .em()
    .execute<[{ count: string }]>(`select count(*) as count from "${table}" where org_id = ?`, [org]);
  return Number(row.count);
}

/** Deletes rows of an organization. Returns how many; fewer than `size` mean that none is left. */
export async function deleteRows(
  db: Database,
  table: PlainTable,
  org: string,
  size: number = deletionSize,
): Promise<number> {
  const deleted = await db.em().execute<{ affectedRows: number }>(
    `delete from "${table}"
     where ctid = any (array(select ctid from "${table}" where org_id = ? limit ?))`,
    [org, size],
    'run',
  );
  return deleted.affectedRows;
}

/** Returns the number of rows by table that still name an organization, in all tables that have such a column. */
export async function findOwnedRows(db: Database, org: string): Promise<Record<string, number>> {
  const em = db.em();
  const tables = await em.execute<{ name: string; column: string }[]>(
    `select quote_ident(table_name) as name, column_name as column
     from information_schema.columns
     where table_schema = current_schema() and column_name = 'org_id'
     union all
     select 'organization', 'id'
     order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name, column } of tables) {
    const [row] = await em.execute<[{ count: string }]>(
      `select count(*) as count from (select from ${name} where ${column} = ? limit 1000) as owned`,
      [org],
    );
    if (row.count !== '0') counts[name] = Number(row.count);
  }
  return counts;
}
