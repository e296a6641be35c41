/** The workers of one process: one for workflows and short steps, one for each engine's own task queue. */
import { type NativeConnection, Worker, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { nameInLog } from './log-context.ts';

interface Options {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  workflowBundle: WorkflowBundle;
  activities: Activities;
  catalogue: Catalogue;
}

/** A stop lets running activities end for so long; then they are canceled and run again elsewhere. */
const shutdownGraceTime = '10s';

export async function createWorkers(options: Options): Promise<Worker[]> {
  const { connection, namespace, taskQueue, activities } = options;
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    shutdownGraceTime,
    interceptors: { activity: [nameInLog] },
    identity: `worker-${process.pid}`,
    // Heartbeats at full rate would be thrown away anyway; these keep a two-second timeout fed.
    maxHeartbeatThrottleInterval: '1s',
  };
  const { perform, ...steps } = activities;
  const workflows = Worker.create({
    ...common,
    taskQueue,
    workflowBundle: options.workflowBundle,
    activities: steps,
    // A dead worker's cached workflows go to others after this.
    stickyQueueScheduleToStartTimeout: '1s',
    // Parked artworks need no place in memory (each takes a megabyte): their short histories are replayed when they wake.
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
      // What may not begin yet waits in the queue, where its turn is fair, and not in a worker's hands.
      ...(limits?.perSecond !== undefined && { maxTaskQueueActivitiesPerSecond: limits.perSecond }),
    }),
  );
  return Promise.all([workflows, ...engines]);
}
