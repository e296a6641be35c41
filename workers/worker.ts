/** Creates the workers of one process: one for workflows and short steps, and one for each engine's task queue. */
import { type NativeConnection, Worker, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { addLogContext } from './log-context.ts';

interface Options {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  workflowBundle: WorkflowBundle;
  activities: Activities;
  catalogue: Catalogue;
}

/** How long activities may run after a stop. Then they are canceled, and another worker runs them again. */
const shutdownGraceTime = '10s';

export async function createWorkers(options: Options): Promise<Worker[]> {
  const { connection, namespace, taskQueue, activities } = options;
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    shutdownGraceTime,
    interceptors: { activity: [addLogContext] },
    identity: `worker-${process.pid}`,
    // The SDK throttles heartbeats; one per second suffices for a heartbeat timeout of two seconds.
    maxHeartbeatThrottleInterval: '1s',
  };
  const { perform, ...steps } = activities;
  const workflows = Worker.create({
    ...common,
    taskQueue,
    workflowBundle: options.workflowBundle,
    activities: steps,
    // After this time, another worker takes over the cached workflows of a dead worker.
    stickyQueueScheduleToStartTimeout: '1s',
    // A cached workflow takes a megabyte. Sleeping artworks are not cached: a wake-up replays their short history.
    maxCachedWorkflows: 100,
    maxConcurrentWorkflowTaskExecutions: 200,
    maxConcurrentLocalActivityExecutions: 200,
    maxConcurrentActivityTaskExecutions: 200,
  });
  const engines = [...options.catalogue.engines].map(([name, { concurrency, limits, drain }]) =>
    Worker.create({
      ...common,
      taskQueue: `${taskQueue}-${name}`,
      activities: { perform },
      maxConcurrentActivityTaskExecutions: concurrency,
      ...(drain !== undefined && { shutdownGraceTime: drain }),
      // Calls beyond the rate wait in the task queue, which is fair between organizations, and occupy no worker.
      ...(limits?.perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: limits.perSecond }),
    }),
  );
  return Promise.all([workflows, ...engines]);
}
