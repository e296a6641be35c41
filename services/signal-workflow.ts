/** Tells the workflow of an artwork what is asked of it, in bounded time: a Temporal server that is away is a 503. */
import { isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { type Order, orders } from '../schemas/workflow.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/** Milliseconds that Temporal may take, so that its 503 comes within three seconds. */
const timeout = 2500;

/**
 * A signal is kept by Temporal until a worker is there, so an order that was told is carried out.
 * @returns false when there is no such workflow, or it has ended
 * @throws Problem `unavailable`
 */
export async function tellWorkflow(
  { temporal }: Pick<ServiceDependencies, 'temporal'>,
  id: string,
  order: Order,
): Promise<boolean> {
  try {
    const handle = temporal.workflow.getHandle(id);
    await temporal.connection.withDeadline(Date.now() + timeout, () => handle.signal(orders[order]));
    return true;
  } catch (cause) {
    if (cause instanceof WorkflowNotFoundError) return false;
    if (cause instanceof ServiceError || isGrpcServiceError(cause)) throw new Problem('unavailable', { cause });
    throw cause;
  }
}
