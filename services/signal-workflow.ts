/** Signals, cancels and terminates workflows, with a timeout: an unreachable Temporal server becomes a 503. */
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { callTemporal } from '../runtime/temporal.ts';
import { temporalTimeout } from '../runtime/timeouts.ts';
import { type Signal, signals } from '../schemas/workflow.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { throwUnavailable } from './temporal-unavailable.ts';

type Dependencies = Pick<ServiceDependencies, 'temporal'>;

/**
 * Returns false when the workflow does not exist or has ended. Temporal keeps a signal until a worker handles it.
 * @throws Problem `unavailable` when Temporal cannot be reached
 */
export function signalWorkflow(deps: Dependencies, id: string, signal: Signal): Promise<boolean> {
  return ifRunning(deps, id, (handle) => handle.signal(signals[signal]));
}

/** Cancels a workflow, which then cleans up and ends. Returns and throws as `signalWorkflow`. */
export function cancelWorkflow(deps: Dependencies, id: string): Promise<boolean> {
  return ifRunning(deps, id, (handle) => handle.cancel());
}

/** Ends a workflow at once, without any step that remains. Returns and throws as `signalWorkflow`. */
export function terminateWorkflow(deps: Dependencies, id: string, reason: string): Promise<boolean> {
  return ifRunning(deps, id, (handle) => handle.terminate(reason));
}

async function ifRunning(
  { temporal }: Dependencies,
  id: string,
  work: (handle: WorkflowHandle) => Promise<unknown>,
): Promise<boolean> {
  try {
    const handle = temporal.workflow.getHandle(id);
    await callTemporal(temporal.connection, temporalTimeout, () => work(handle));
    return true;
  } catch (cause) {
    if (cause instanceof WorkflowNotFoundError) return false;
    return throwUnavailable(cause);
  }
}
