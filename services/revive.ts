/**
 * Starts workflows for artworks and uploads that have lost theirs: terminated by hand, or missing from a restored
 * backup. The new workflow continues from what is stored.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../schemas/search-attributes.ts';
import { findArtwork } from '../store/artworks.ts';
import type { UploadedFile } from '../store/entities.ts';
import { pagesOfArtworks, pagesOfUploads, type RetainedArtwork } from '../store/retained.ts';
import { removeUpload } from '../store/uploads.ts';
import { startArtworkWorkflow } from './artwork-workflow.ts';
import { deleteArtwork } from './delete-artwork.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { throwUnavailable } from './temporal-unavailable.ts';
import { startUploadWorkflow } from './upload-workflow.ts';

export type ReviveDependencies = Pick<
  ServiceDependencies,
  'config' | 'db' | 'files' | 'log' | 'metrics' | 'now' | 'temporal'
>;

/** `running` if a workflow works on it already; `purged` if its retention has ended. */
export type Outcome = 'revived' | 'running' | 'purged';

/** Milliseconds for reading the state of a workflow. */
const timeout = 3000;
/** Milliseconds before the first repetition and before the last one. */
const firstPause = 500;
const longestPause = 16_000;

/**
 * Revives every artwork and upload. Each start fails if the workflow exists, so this can run beside the service and be
 * repeated.
 * @throws Problem `unavailable` when Temporal cannot be reached
 */
export async function reviveAll(deps: ReviveDependencies): Promise<Record<Outcome, number>> {
  const counts = { revived: 0, running: 0, purged: 0 };
  const reviveEach = async <T>(page: readonly T[], revive: (deps: ReviveDependencies, one: T) => Promise<Outcome>) => {
    const outcomes = page.map((one) => whenAvailable(() => revive(deps, one)));
    // No request may be open when the caller closes the connection.
    await Promise.allSettled(outcomes);
    for (const outcome of await Promise.all(outcomes)) counts[outcome]++;
  };
  for await (const page of pagesOfArtworks(deps.db)) await reviveEach(page, reviveArtwork);
  for await (const page of pagesOfUploads(deps.db)) await reviveEach(page, reviveUpload);
  return counts;
}

/** Repeats an attempt while Temporal does not respond in time, as it may after a restore. */
async function whenAvailable<T>(attempt: () => Promise<T>): Promise<T> {
  for (let pause = firstPause; ; pause *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unavailable') || pause > longestPause) throw error;
      await sleep(pause);
    }
  }
}

/** @throws Problem `unavailable` when Temporal cannot be reached */
export async function reviveArtwork(deps: ReviveDependencies, artwork: RetainedArtwork): Promise<Outcome> {
  const { id } = artwork;
  if (artwork.expiresAt.getTime() <= deps.now()) {
    await deleteArtwork(deps, id);
    return 'purged';
  }
  // It expires within minutes, and nobody waits for its response.
  if (id.startsWith('ans_')) return 'running';
  if (await start(deps, artwork, 'FAIL')) return 'revived';
  if (!(await hasWorkflowEndedIt(deps, artwork))) return 'running';
  await start(deps, artwork, 'TERMINATE_EXISTING');
  return 'revived';
}

/** Returns false when the workflow exists. */
function start(
  deps: ReviveDependencies,
  { id, org, key, operation, plan, expiresAt }: RetainedArtwork,
  conflict: 'FAIL' | 'TERMINATE_EXISTING',
): Promise<boolean> {
  const input = { id, orgId: org, keyId: key, operation, expiresAt: expiresAt.getTime() };
  const schedule = deps.config.webhookSchedule;
  return falseIfStarted(
    startArtworkWorkflow(deps, { name: operation }, plan ?? null, { ...input, schedule }, conflict),
  );
}

async function reviveUpload(deps: ReviveDependencies, upload: UploadedFile): Promise<Outcome> {
  const delay = upload.expiresAt.getTime() - deps.now();
  if (delay > 0) return (await falseIfStarted(startUploadWorkflow(deps, upload, delay))) ? 'revived' : 'running';
  await removeUpload(deps.db, deps.files, upload.id);
  return 'purged';
}

async function falseIfStarted(starting: Promise<void>): Promise<boolean> {
  try {
    await starting;
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/**
 * Returns whether the running workflow has ended an artwork whose row is unfinished, as after the restore of a database
 * that is older than Temporal's. Such a workflow would only wait for the purge.
 */
async function hasWorkflowEndedIt(
  { db, temporal, now }: ReviveDependencies,
  { id, status, finishedAt }: RetainedArtwork,
): Promise<boolean> {
  if (finishedAt || status === 'ABANDONED') return false;
  const { typedSearchAttributes } = await temporal.connection
    .withDeadline(now() + timeout, () => temporal.workflow.getHandle(id).describe())
    .catch(throwUnavailable);
  const shown = typedSearchAttributes.get(
    defineSearchAttributeKey(searchAttributes.status, SearchAttributeType.KEYWORD),
  );
  if (shown === 'PROCESSING') return false;
  // A workflow stores the ending before it shows it, so the row of an artwork that has just ended is finished by now.
  const current = await findArtwork(db, id);
  return current !== null && !current.finishedAt;
}
