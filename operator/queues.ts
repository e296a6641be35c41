/** How many calls wait for each engine, as Temporal counts them. */
import { Connection } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';

/** Milliseconds. */
const patience = 5000;

/** @returns by engine; nothing of those whose queue nobody has used yet */
export async function queueLengths({ temporal }: Config, engines: readonly string[]): Promise<Map<string, number>> {
  const { address, namespace, taskQueue } = temporal;
  const connection = await Connection.connect({ address, connectTimeout: patience });
  try {
    const described = await Promise.all(
      engines.map(async (engine) => {
        const { stats } = await connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: `${taskQueue}-${engine}` },
          taskQueueType: 2,
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
