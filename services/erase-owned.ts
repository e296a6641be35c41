/** Erases the artworks and uploads of an organization, page by page, and waits until their workflows have ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Author } from '../store/audit.ts';
import { measureArtworks, type OwnedArtwork, pageOfOwned, pageOfUploads } from '../store/owned-rows.ts';
import { removeUpload } from '../store/uploads.ts';
import { purgeArtwork } from './delete-artwork.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { ErasureCounts } from './erasure-report.ts';
import { terminateWorkflow } from './signal-workflow.ts';
import { whenAvailable } from './when-available.ts';

export type ErasureDependencies = Pick<ServiceDependencies, 'db' | 'files' | 'temporal' | 'log' | 'now'>;

export interface Erasure {
  orgId: string;
  /** The author of the erasure. */
  author: Author;
  /** What has been erased so far. */
  counts: ErasureCounts;
  /** Milliseconds without progress after which the erasure no longer waits for workflows. */
  waitLimit: number;
  /** Called after each page. */
  onPage(counts: ErasureCounts): void;
}

/** Rows of a page, which are erased at the same time. */
const pageSize = 20;
/** Milliseconds between two looks at what is left. */
const pollInterval = 300;

/** Erases artworks and synchronous requests. Those with a workflow leave a tombstone until it has ended. */
export async function eraseArtworks(deps: ErasureDependencies, erasure: Erasure): Promise<void> {
  const { orgId, counts, onPage } = erasure;
  const read = (after: string) => pageOfOwned(deps.db, orgId, after, pageSize);
  for await (const page of pagesOf(read)) {
    const stored = page.filter(isStored).map(({ id }) => id);
    const { files, bytes, jobs } = await measureArtworks(deps.db, stored);
    const ended = await settleAll(page.map(({ id }) => whenAvailable(() => purgeArtwork(deps, id))));
    counts.artworks += stored.length;
    counts.files += files;
    counts.bytes += bytes;
    counts.jobsAtProviders += jobs;
    // A tombstone was counted by the command that has left it.
    counts.workflowsEnded += page.filter((one, index) => isStored(one) && ended[index]?.hasWorkflow).length;
    onPage(counts);
  }
}

const isStored = ({ status }: OwnedArtwork) => status !== 'ABANDONED';

/** Erases uploads. The workflow ends first, so that an erasure that is interrupted still finds the row. */
export async function eraseUploads(deps: ErasureDependencies, { orgId, counts, onPage }: Erasure): Promise<void> {
  const read = (after: string) => pageOfUploads(deps.db, orgId, after, pageSize);
  for await (const page of pagesOf(read)) {
    const ended = await settleAll(
      page.map(async ({ id }) => {
        const hasWorkflow = await whenAvailable(() => terminateWorkflow(deps, id, 'the organization was erased'));
        await removeUpload(deps.db, deps.files, id);
        return hasWorkflow;
      }),
    );
    counts.uploads += page.length;
    counts.files += page.length;
    counts.bytes += page.reduce((sum, { bytes }) => sum + bytes, 0);
    counts.workflowsEnded += ended.filter(Boolean).length;
    onPage(counts);
  }
}

/**
 * Waits until no tombstone is left. Returns at once when a request has stored an artwork meanwhile, which is to be erased.
 * Half of the time without progress, it erases the tombstones once more, because their workflows may be lost.
 * @throws Error that says what to do when nothing changes any more; otherwise as `purgeArtwork`
 */
export async function untilPurged(deps: ErasureDependencies, erasure: Erasure): Promise<void> {
  const { orgId, waitLimit } = erasure;
  let seen = '';
  let changedAt = deps.now();
  let isRepeated = false;
  for (;;) {
    const left = await pageOfOwned(deps.db, orgId, '', 1000);
    if (left.length === 0 || left.some(isStored)) return;
    const state = `${left.length} ${left[0]?.id} ${left.at(-1)?.id}`;
    if (state !== seen) changedAt = deps.now();
    seen = state;
    const waited = deps.now() - changedAt;
    if (waited > waitLimit) throw unfinished(left.length);
    if (waited > waitLimit / 2 && !isRepeated) {
      await eraseArtworks(deps, erasure);
      isRepeated = true;
    }
    await sleep(pollInterval);
  }
}

/** Returns the error of an erasure whose workflows do not end. */
export const unfinished = (count: number) =>
  new Error(
    `${count < 1000 ? count : 'At least 1000'} workflows of this organization have not ended, and hold its ids. Check with "operator workers" that workers take tasks, then run the same command again.`,
  );

/** Goes through rows in the order of their ids. @param read returns the page after an id */
export async function* pagesOf<T extends { id: string }>(read: (after: string) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let page = await read(''); page.length > 0; page = await read(page.at(-1)?.id ?? '')) yield page;
}

/** Waits for all, because no request may be open when the caller closes its connections. @throws the first error */
async function settleAll<T>(work: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
