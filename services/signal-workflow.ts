/** Signals the workflow of an artwork, with a timeout: an unreachable Temporal server becomes a 503. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { callTemporal } from '../runtime/temporal.ts';
import { temporalTimeout } from '../runtime/timeouts.ts';
import { type Signal, signals } from '../schemas/workflow.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { throwUnavailable } from './temporal-unavailable.ts';

/**
 * Returns false when the workflow does not exist or has ended. Temporal keeps a signal until a worker handles it.
 * @throws Problem `unavailable` when Temporal cannot be reached
 */
export async function signalWorkflow(
  { temporal }: Pick<ServiceDependencies, 'temporal'>,
  id: string,
  signal: Signal,
): Promise<boolean> {
  try {
    const handle = temporal.workflow.getHandle(id);
    await callTemporal(temporal.connection, temporalTimeout, () => handle.signal(signals[signal]));
    return true;
  } catch (cause) {
    if (cause instanceof WorkflowNotFoundError) return false;
    return throwUnavailable(cause);
  }
}
