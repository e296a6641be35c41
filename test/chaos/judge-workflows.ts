/** Judges the workflows of a run when every artwork has expired. */
import type { Client } from '@temporalio/client';
import { makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import type { History } from '../../scripts/histories/json.ts';
import { bundleWorkflows } from '../../workers/bundle.ts';
import { textsOf } from '../support/history-texts.ts';
import { openTemporal } from '../support/temporal.ts';
import { isKept } from './kept-results.ts';
import { markerIn } from './marker.ts';
import { problemOf } from './problem-of.ts';
import type { System } from './system.ts';

interface Recorded {
  workflowId: string;
  history: History;
}

/** No workflow may still run, no task may have failed, every history must replay, and none may contain a prompt. */
export async function judgeWorkflows(system: System): Promise<string[]> {
  const { client, close } = await openTemporal(system.service);
  try {
    const running = await problemOf(() => expectNoneRuns(client));
    const violations: string[] = [];
    const histories: Recorded[] = [];
    for await (const { workflowId, runId, status } of client.workflow.list()) {
      if (status.name !== 'COMPLETED' && !(status.name === 'RUNNING' && isKept(workflowId)))
        violations.push(`The workflow ${workflowId} is ${status.name}`);
      histories.push({ workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() });
    }
    return [...running, ...violations, ...histories.flatMap(judgeHistory), ...(await replay(histories))];
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

/**
 * Messages of failed tasks that Temporal repeats and that change nothing: a workflow completed while it got a signal, or
 * canceled a local activity at the moment when that activity ended (temporalio/sdk-rust, issue 705).
 */
const harmlessFailures = ['UnhandledCommand', '[TMPRL1100] Nondeterminism error: Invalid transition in state machine'];

function judgeHistory({ workflowId, history: { events } }: Recorded): string[] {
  const violations: string[] = [];
  for (const { workflowTaskFailedEventAttributes: failed } of events ?? []) {
    const message = failed?.failure?.message;
    if (failed && !harmlessFailures.includes(String(message)))
      violations.push(`A task of ${workflowId} failed: ${message}`);
  }
  for (const text of textsOf(events)) {
    const marker = markerIn(text);
    if (marker !== null) return [...violations, `The history of ${workflowId} has the prompt ${marker}`];
  }
  return violations;
}

async function replay(histories: readonly Recorded[]): Promise<string[]> {
  const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  Runtime.install({
    logger: silent,
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
  const violations: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: await bundleWorkflows() },
    histories,
  ))
    if (error) violations.push(`The history of ${workflowId} does not replay: ${error.message}`);
  return violations;
}
