/** Reads from Temporal how many calls wait in the task queue of each engine. */
import { Connection } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';

/** Milliseconds before a connection attempt fails. */
const connectTimeout = 5000;

/** `TASK_QUEUE_TYPE_ACTIVITY` of Temporal's API. */
const activityQueue = 2;

/** Returns the number of waiting calls by engine. */
export async function queueLengths({ temporal }: Config, engines: readonly string[]): Promise<Map<string, number>> {
  const { address, namespace, taskQueue } = temporal;
  const connection = await Connection.connect({ address, connectTimeout });
  try {
    const described = await Promise.all(
      engines.map(async (engine) => {
        const { stats } = await connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: `${taskQueue}-${engine}` },
          taskQueueType: activityQueue,
          reportStats: true,
        });
        return [engine, Number(stats?.approximateBacklogCount ?? 0)] as const;
      }),
    );
    return new Map(described);
  } finally {
    await connection.close();
  }
}
