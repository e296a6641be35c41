/** Starts a workflow, with a timeout: an unreachable Temporal server becomes a 503. */
import type { WorkflowStartOptions } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import { callTemporal } from '../runtime/temporal.ts';
import { temporalTimeout } from '../runtime/timeouts.ts';
import type { CreationDependencies } from './dependencies.ts';
import { isTemporalUnavailable, throwUnavailable } from './temporal-unavailable.ts';

/** @throws Problem `unavailable` when Temporal cannot be reached */
export async function startWorkflow<W extends Workflow>(
  { temporal, config, metrics }: Pick<CreationDependencies, 'temporal' | 'config' | 'metrics'>,
  type: string,
  options: Omit<WorkflowStartOptions<W>, 'taskQueue'>,
): Promise<void> {
  const { taskQueue } = config.temporal;
  // `Omit` turns the SDK's union of argument types into one type, which TypeScript no longer relates to the union.
  const allOptions = { ...options, taskQueue } as WorkflowStartOptions<W>;
  const endTimer = metrics.starts.startTimer();
  try {
    await callTemporal(temporal.connection, temporalTimeout, () => temporal.workflow.start<W>(type, allOptions));
    endTimer({ outcome: 'ok' });
  } catch (cause) {
    endTimer({ outcome: isTemporalUnavailable(cause) ? 'unavailable' : 'error' });
    throwUnavailable(cause);
  }
}
