/** Judges the workflows of a run when every artwork has expired. */
import type { Client } from '@temporalio/client';
import { textsOf } from '../support/history-texts.ts';
import { openTemporal } from '../support/temporal.ts';
import { isKept } from './kept-results.ts';
import { markerIn } from './marker.ts';
import { problemOf } from './problem-of.ts';
import type { System } from './system.ts';

/** No workflow of an artwork may run any more, no task may have failed, and no history may contain a prompt. */
export async function judgeWorkflows(system: System): Promise<string[]> {
  const { client, close } = await openTemporal(system.service);
  try {
    const running = await problemOf(() => expectNoneRuns(client));
    const violations: string[] = [];
    for await (const { workflowId, runId, status } of client.workflow.list()) {
      if (status.name !== 'COMPLETED' && !isKept(workflowId))
        violations.push(`The workflow ${workflowId} is ${status.name}`);
      violations.push(...(await judgeHistory(client, workflowId, runId)));
    }
    return [...running, ...violations];
  } finally {
    await close();
  }
}

async function expectNoneRuns(client: Client): Promise<void> {
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` }))
    if (!isKept(workflowId)) ids.push(workflowId);
  if (ids.length > 0) throw new Error(`${ids.length} workflows still run: ${ids.slice(0, 5).join(', ')}`);
}

async function judgeHistory(client: Client, workflowId: string, runId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const violations: string[] = [];
  for (const { workflowTaskFailedEventAttributes: failed } of events ?? [])
    if (failed) violations.push(`A task of ${workflowId} failed: ${failed.failure?.message}`);
  for (const text of textsOf(events)) {
    const marker = markerIn(text);
    if (marker !== null) return [...violations, `The history of ${workflowId} has the prompt ${marker}`];
  }
  return violations;
}
