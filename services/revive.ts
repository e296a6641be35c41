/**
 * Starts workflows for artworks and uploads that have lost theirs: terminated by hand, or missing from a restored
 * backup. The new workflow continues from what is stored.
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { callTemporal } from '../runtime/temporal.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import { findArtwork } from '../store/artworks.ts';
import { endAsCanceled } from '../store/end-artwork.ts';
import type { UploadedFile } from '../store/entities.ts';
import type { RetainedArtwork } from '../store/retained.ts';
import { removeUpload } from '../store/uploads.ts';
import { startArtworkWorkflow } from './artwork-workflow.ts';
import { purgeArtwork } from './delete-artwork.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { signalWorkflow } from './signal-workflow.ts';
import { throwUnavailable } from './temporal-unavailable.ts';
import { startUploadWorkflow } from './upload-workflow.ts';

export type ReviveDependencies = Pick<
  ServiceDependencies,
  'config' | 'db' | 'files' | 'links' | 'log' | 'metrics' | 'newId' | 'now' | 'temporal'
>;

/** `running`: its workflow runs. `purged`: it has expired or was deleted, and is gone now. */
export type ReviveOutcome = 'revived' | 'running' | 'purged';

export interface ReviveOptions {
  /**
   * Whether the workflow of each unfinished artwork starts again even if it runs: it may rely on results that a restored
   * database no longer has.
   */
  restartUnfinished: boolean;
}

const shownStatus = { name: searchAttributes.status, type: 'KEYWORD' } as const;

/** Milliseconds for reading the state of a workflow. */
const timeout = 3000;

/**
 * Revives an artwork, a claim or a tombstone. Can run beside the service and be repeated.
 * @throws Problem `unavailable` when Temporal cannot be reached; FilesUnavailable or a database error of a purge
 */
export async function reviveArtwork(
  deps: ReviveDependencies,
  artwork: RetainedArtwork,
  { restartUnfinished }: ReviveOptions,
): Promise<ReviveOutcome> {
  const { id, status, expiresAt } = artwork;
  if (expiresAt.getTime() <= deps.now()) return purge(deps, id);
  // A synchronous request without a workflow gets no result, and nothing would purge one that it has. A repeat runs again.
  if (id.startsWith('ans_')) return (await describe(deps, id))?.isRunning ? 'running' : purge(deps, id);
  if (await start(deps, artwork)) {
    // Then this is the tombstone of a deleted artwork, or the claim of a request that was never stored.
    if (status === 'ABANDONED') await signalWorkflow(deps, id, 'remove');
    return 'revived';
  }
  const workflow = await describe(deps, id);
  // A workflow that has completed has purged its artwork: the row comes from an older backup.
  if (!workflow?.isRunning) return purge(deps, id);
  if (!(await mustRestart(deps, artwork, workflow, restartUnfinished))) return 'running';
  if (workflow.status === 'CANCELED') await endAsCanceled(deps, id);
  // Only this run: another command may have started a new one meanwhile.
  await terminate(deps, workflow);
  return (await start(deps, artwork)) ? 'revived' : 'running';
}

/** @throws Problem `unavailable` when Temporal cannot be reached; FilesUnavailable or a database error of a purge */
export async function reviveUpload(deps: ReviveDependencies, upload: UploadedFile): Promise<ReviveOutcome> {
  const delay = upload.expiresAt.getTime() - deps.now();
  if (delay > 0 && (await isStarted(startUploadWorkflow(deps, upload, delay)))) return 'revived';
  if (delay > 0 && (await describe(deps, upload.id))?.isRunning) return 'running';
  await removeUpload(deps.db, deps.files, upload.id);
  return 'purged';
}

async function purge(deps: ReviveDependencies, id: string): Promise<ReviveOutcome> {
  const { hasWorkflow } = await purgeArtwork(deps, id);
  return hasWorkflow ? 'running' : 'purged';
}

/** Returns false when the workflow runs or has completed. */
function start(
  deps: ReviveDependencies,
  { id, org, key, operation, plan, expiresAt }: RetainedArtwork,
): Promise<boolean> {
  const input = { id, orgId: org, keyId: key, operation, expiresAt: expiresAt.getTime() };
  const schedule = deps.config.webhookSchedule;
  return isStarted(startArtworkWorkflow(deps, { name: operation }, plan ?? null, { ...input, schedule }));
}

async function isStarted(starting: Promise<void>): Promise<boolean> {
  try {
    await starting;
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

interface WorkflowState {
  id: string;
  runId: string;
  isRunning: boolean;
  /** The status of the artwork that the workflow shows. */
  status: string | undefined;
}

/** Returns null when Temporal has no workflow with this id. */
async function describe({ temporal }: ReviveDependencies, id: string): Promise<WorkflowState | null> {
  try {
    const found = await callTemporal(temporal.connection, timeout, () => temporal.workflow.getHandle(id).describe());
    const status = found.typedSearchAttributes.get(shownStatus);
    return { id, runId: found.runId, isRunning: found.status.name === 'RUNNING', status };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    return throwUnavailable(error);
  }
}

/**
 * Returns whether a running workflow cannot continue the artwork. After the restore of a database that is older than
 * Temporal's, a workflow may have ended an artwork whose row is unfinished again; it would only wait for the purge.
 */
async function mustRestart(
  { db }: ReviveDependencies,
  { id, status, finishedAt }: RetainedArtwork,
  workflow: WorkflowState,
  restartUnfinished: boolean,
): Promise<boolean> {
  if (finishedAt || status === 'ABANDONED') return false;
  if (workflow.status === 'PROCESSING' && !restartUnfinished) return false;
  // A workflow stores the ending before it shows it, so the row of an artwork that has just ended is finished by now.
  const current = await findArtwork(db, id);
  return current !== null && !current.finishedAt;
}

async function terminate({ temporal }: ReviveDependencies, { id, runId }: WorkflowState): Promise<void> {
  try {
    const handle = temporal.workflow.getHandle(id, runId);
    await callTemporal(temporal.connection, timeout, () => handle.terminate('revived from an older row'));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throwUnavailable(error);
  }
}
