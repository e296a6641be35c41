/** Starts a workflow in bounded time: a Temporal server that is away is a 503, and nothing is kept. */
import { isGrpcServiceError, ServiceError, type WorkflowStartOptions } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { CreationDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/**
 * Milliseconds that Temporal may take, so that its 503 comes within three seconds. With the insert's own limit of two
 * seconds it stays below the patience of `begin`.
 */
const startTimeout = 2500;

/** @throws Problem `unavailable` */
export async function startWorkflow<W extends Workflow>(
  { temporal, config, metrics }: Pick<CreationDependencies, 'temporal' | 'config' | 'metrics'>,
  type: string,
  options: Omit<WorkflowStartOptions<W>, 'taskQueue'>,
): Promise<void> {
  const { taskQueue } = config.temporal;
  // Leaving out one option turns the SDK's union of argument shapes into one that it does not know again.
  const whole = { ...options, taskQueue } as WorkflowStartOptions<W>;
  const took = metrics.starts.startTimer();
  try {
    await temporal.connection.withDeadline(Date.now() + startTimeout, () => temporal.workflow.start<W>(type, whole));
    took({ outcome: 'ok' });
  } catch (cause) {
    const isAway = cause instanceof ServiceError || isGrpcServiceError(cause);
    took({ outcome: isAway ? 'unavailable' : 'error' });
    throw isAway ? new Problem('unavailable', { cause }) : cause;
  }
}
