/**
 * Erases an organization with everything that belongs to it, while the service runs. Every step can be repeated, and
 * deletes files and workflows before the rows that name them, so the erasure can be interrupted and started again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callTemporal } from '../runtime/temporal.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import { recordChange } from '../store/audit.ts';
import { eraseEntries, eraseKey, eraseOrganizationRow } from '../store/erase-key.ts';
import { revokeKey } from '../store/keys.ts';
import { findOrganization } from '../store/organizations.ts';
import { deleteRows, deletionSize, findOwnedRows, type PlainTable } from '../store/owned-rows.ts';
import type { Database } from '../store/database.ts';
import {
  eraseArtworks,
  eraseUploads,
  type Erasure,
  type ErasureDependencies,
  unfinished,
  untilPurged,
} from './erase-owned.ts';
import { countOf, tables } from './erasure-report.ts';
import { forEachKey } from './preview-erasure.ts';
import { cancelWorkflow, signalWorkflow } from './signal-workflow.ts';
import { whenAvailable } from './when-available.ts';

/** Maximum workflows that are ended at a time. */
const listSize = 200;
/** Milliseconds for a page of Temporal's list, and between two looks at it. It lags by up to a second. */
const listTimeout = 3000;
const pollInterval = 500;
/** The number of listings after which a workflow that is still running gets a signal. */
const lookOfSignal = 3;
/** Empty listings in a row after which no workflow is left: together longer than the lag of the list. */
const emptyLooks = 4;

/**
 * Returns whether there was such an organization.
 * @throws Error that says what to do when workflows do not end, or when anything is left in the end; Problem `unavailable`
 * when Temporal cannot be reached; FilesUnavailable; an error of the database. The same call then continues
 */
export async function eraseOrganization(deps: ErasureDependencies, erasure: Erasure): Promise<boolean> {
  const { orgId, author } = erasure;
  const exists = (await findOrganization(deps.db, orgId)) !== null;
  const at = new Date(deps.now());
  // The entry belongs to no organization, so that it remains.
  if (exists) {
    const change = { org: null, action: 'organization.erased' as const, target: orgId, changes: {}, at };
    await recordChange(deps.db.em(), author, change);
  }
  for (;;) {
    // 1. No new request is accepted. One that was accepted before may still store an object, or create a key, until step 4.
    await forEachKey(deps.db, orgId, (key) => revokeKey(deps.db, key, new Date(deps.now()), author));
    // 2. The content: artworks end without an event.
    await eraseArtworks(deps, erasure);
    await eraseUploads(deps, erasure);
    for (const table of ['style', 'failing_destination'] as const) await eraseTable(deps.db, table, erasure);
    await untilPurged(deps, erasure);
    // 3. The records, and rows that were inserted since step 1.
    for (const table of tables) await eraseTable(deps.db, table, erasure);
    // 4. The keys, and with the last one the organization, its webhook secrets and what refers to it.
    await eraseKeys(deps, erasure);
    if ((await eraseOrganizationRow(deps.db, orgId)) !== 'kept') break;
  }
  // 5. Workflows of requests that could not store their artwork any more.
  await endWorkflows(deps, erasure);
  await verify(deps.db, orgId);
  return exists;
}

async function eraseTable(db: Database, table: PlainTable, { orgId, counts }: Erasure): Promise<void> {
  let deleted = deletionSize;
  while (deleted === deletionSize) {
    deleted = await deleteRows(db, table, orgId);
    counts[countOf[table]] += deleted;
  }
}

/** Erases the keys that have no objects left. */
async function eraseKeys({ db, now }: ErasureDependencies, { orgId, counts }: Erasure): Promise<void> {
  await forEachKey(db, orgId, async (key) => {
    for (let deleted = -1; deleted !== 0;) {
      deleted = await eraseEntries(db, key, new Date(now()));
      counts.ledgerEntries += deleted;
    }
    if (await eraseKey(db, key)) counts.keys++;
  });
}

/** Ends the workflows that Temporal still lists, and waits until it lists none any more. @throws Error when they do not end */
async function endWorkflows(deps: ErasureDependencies, erasure: Erasure): Promise<void> {
  const until = deps.now() + erasure.waitLimit;
  /** How often Temporal has listed a workflow. */
  const listed = new Map<string, number>();
  for (let empty = 0; empty < emptyLooks;) {
    const left = await listWorkflows(deps, erasure.orgId);
    empty = left.length === 0 ? empty + 1 : 0;
    for (const { id, type } of left) {
      const times = (listed.get(id) ?? 0) + 1;
      listed.set(id, times);
      // Most of them are ending, and another signal would delay that.
      if (times !== lookOfSignal) continue;
      await whenAvailable(() => (type === 'answer' ? cancelWorkflow(deps, id) : signalWorkflow(deps, id, 'remove')));
    }
    if (deps.now() > until) throw unfinished(left.length);
    await sleep(pollInterval);
  }
}

async function listWorkflows(
  { temporal }: ErasureDependencies,
  orgId: string,
): Promise<{ id: string; type: string }[]> {
  const query = `ExecutionStatus = 'Running' AND ${searchAttributes.organization} = '${orgId}'`;
  return callTemporal(temporal.connection, listTimeout, async () => {
    const found: { id: string; type: string }[] = [];
    for await (const { workflowId: id, type } of temporal.workflow.list({ query, pageSize: listSize })) {
      found.push({ id, type });
      if (found.length === listSize) break;
    }
    return found;
  });
}

/** @throws Error that names the tables in which rows are left */
async function verify(db: Database, orgId: string): Promise<void> {
  const left = Object.entries(await findOwnedRows(db, orgId));
  if (left.length === 0) return;
  const tables = left.map(([table, count]) => `${count} in ${table}`).join(', ');
  throw new Error(`Rows of ${orgId} are left: ${tables}. Run the same command again.`);
}
