/** Reads from Temporal how many tasks wait in the service's task queues, and which workers take them. */
import type { Config } from '../runtime/config.ts';
import { withTemporal } from './temporal.ts';

/** The values of `TaskQueueType` in Temporal's API. */
const types = { workflows: 1, activities: 2 } as const;

/** Milliseconds after which a worker that has not polled is gone. A poll lasts a minute. */
const pollTimeout = 70_000;

export interface Queue {
  /** Its name without the prefix of the service; empty for the main queue. */
  name: string;
  type: keyof typeof types;
}

interface QueueState extends Queue {
  /** The approximate number of waiting tasks. */
  waiting: number;
  /** The identities of the workers that have polled lately: `worker-pid@host`. */
  workers: string[];
}

/** Returns the states in the order of the queues. */
export function describeQueues(config: Config, queues: readonly Queue[]): Promise<QueueState[]> {
  const { namespace, taskQueue } = config.temporal;
  return withTemporal(config, async ({ workflowService }) => {
    const states: QueueState[] = [];
    // One after the other, so that a failed request closes the connection only when no other request is open.
    for (const { name, type } of queues) {
      const { stats, pollers } = await workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: name === '' ? taskQueue : `${taskQueue}-${name}` },
        taskQueueType: types[type],
        reportStats: true,
      });
      const polled = (pollers ?? []).filter(
        ({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > Date.now() - pollTimeout,
      );
      const workers = [...new Set(polled.map(({ identity }) => identity ?? ''))].sort();
      states.push({ name, type, waiting: Number(stats?.approximateBacklogCount ?? 0), workers });
    }
    return states;
  });
}
