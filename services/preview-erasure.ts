/** Counts what the erasure of an organization would erase. */
import type { Database } from '../store/database.ts';
import { countEntries } from '../store/erase-key.ts';
import { countRows, measureArtworks, pageOfKeys, pageOfOwned, pageOfUploads } from '../store/owned-rows.ts';
import { pagesOf } from './erase-owned.ts';
import { countOf, type ErasureCounts, noCounts, tables } from './erasure-report.ts';

/** Rows of a page. */
const pageSize = 1000;

/** Returns what an erasure would erase now. */
export async function previewErasure(db: Database, orgId: string): Promise<ErasureCounts> {
  const counts = { ...noCounts };
  for await (const page of pagesOf((after) => pageOfOwned(db, orgId, after, pageSize))) {
    const stored = page.filter(({ status }) => status !== 'ABANDONED').map(({ id }) => id);
    const { files, bytes, jobs } = await measureArtworks(db, stored);
    counts.artworks += stored.length;
    counts.files += files;
    counts.bytes += bytes;
    counts.jobsAtProviders += jobs;
  }
  for await (const page of pagesOf((after) => pageOfUploads(db, orgId, after, pageSize))) {
    counts.uploads += page.length;
    counts.files += page.length;
    counts.bytes += page.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  counts.workflowsEnded = counts.artworks + counts.uploads;
  for (const table of tables) counts[countOf[table]] = await countRows(db, table, orgId);
  await forEachKey(db, orgId, async (key) => {
    counts.keys++;
    counts.ledgerEntries += await countEntries(db, key);
  });
  return counts;
}

/** Runs work for each key of an organization, one at a time. */
export async function forEachKey(db: Database, orgId: string, work: (key: string) => Promise<unknown>): Promise<void> {
  for await (const page of pagesOf((after) => pageOfKeys(db, orgId, after, pageSize))) {
    for (const { id } of page) await work(id);
  }
}
