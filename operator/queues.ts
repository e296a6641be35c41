/** Reads from Temporal how many calls wait in the task queue of each engine. */
import type { Config } from '../runtime/config.ts';
import { withTemporal } from './temporal.ts';

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. */
const activityQueue = 2;

/** Returns the number of waiting calls by engine. */
export function queueLengths(config: Config, engines: readonly string[]): Promise<Map<string, number>> {
  const { namespace, taskQueue } = config.temporal;
  return withTemporal(config, async ({ workflowService }) => {
    const lengths = new Map<string, number>();
    // One after the other, so that a failed request closes the connection only when no other request is open.
    for (const engine of engines) {
      const { stats } = await workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: `${taskQueue}-${engine}` },
        taskQueueType: activityQueue,
        reportStats: true,
      });
      lengths.set(engine, Number(stats?.approximateBacklogCount ?? 0));
    }
    return lengths;
  });
}
