/** Creates the workers of one process by its roles: for workflows and short steps, for deliveries, and for each engine. */
import { type NativeConnection, Worker, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { PollPermits } from '../activities/poll-permits.ts';
import type { Catalogue, EngineSource } from '../engines/catalogue.ts';
import { processIdentity } from '../runtime/temporal.ts';
import type { WorkerRole } from '../runtime/worker-roles.ts';
import { addLogContext } from './log-context.ts';
import { activatePatch } from './patches.ts';
import { permitTuner } from './permit-supplier.ts';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  roles: ReadonlySet<WorkerRole>;
  /** Needed for the role `workflows`. */
  workflowBundle?: WorkflowBundle | undefined;
  activities: Activities;
  catalogue: Catalogue;
  /** By the task queue of a provider with limits. */
  permits: ReadonlyMap<string, PollPermits>;
}

/** How long activities may run after a stop. Then they are canceled, and another worker runs them again. */
const shutdownGraceTime = 10_000;

/**
 * Workflow tasks that a worker runs at a time. A task occupies its slot while it waits for a local activity, such as a
 * fast delivery. The SDK silently limits the slots to the size of the cache, because a workflow with a task is a cached
 * one, so both have this number: with 200 slots and a cache of 100, 91 local activities ran at a time; with a cache of
 * 200, 191 did (nine slots wait for tasks).
 */
const workflowTaskSlots = 200;

export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { taskQueue, roles } = options;
  const common = commonOptions(options);
  const workflows = roles.has('workflows') ? workflowOptions(options) : null;
  const deliveries = roles.has('deliveries') ? deliveryOptions(options) : null;
  const main = workflows || deliveries ? [Worker.create({ ...common, taskQueue, ...deliveries, ...workflows })] : [];
  const sources = [...options.catalogue.engines].filter(([, { role }]) => roles.has(role));
  return Promise.all([...main, ...sources.map(([name, source]) => createEngineWorker(options, name, source))]);
}

/** Maximum concurrent calls of a removed engine per process. Low, because these calls overtake those in their new engine's queue. */
const concurrentRemoved = 8;

/** Creates a worker for the queue of an engine that is in no engines file any more. */
export function createRemovedWorker(options: WorkersOptions, engine: string): Promise<Worker> {
  const drains = [...options.catalogue.engines.values()].map(({ drain = shutdownGraceTime }) => drain);
  return createEngineWorker(options, engine, { concurrency: concurrentRemoved, drain: Math.max(...drains) });
}

function createEngineWorker(
  options: WorkersOptions,
  engine: string,
  { concurrency, drain }: Pick<EngineSource, 'concurrency' | 'drain'>,
): Promise<Worker> {
  const queue = `${options.taskQueue}-${engine}`;
  const permits = options.permits.get(queue);
  const { perform } = options.activities;
  return Worker.create({
    ...commonOptions(options),
    taskQueue: queue,
    activities: { perform },
    // Calls beyond a provider's limits wait in its queue, which is fair between organizations, and occupy no worker.
    ...(permits ? { tuner: permitTuner(permits) } : { maxConcurrentActivityTaskExecutions: concurrency }),
    ...(drain !== undefined && { shutdownGraceTime: drain }),
  });
}

const commonOptions = ({ connection, namespace }: WorkersOptions): Omit<WorkerOptions, 'taskQueue'> => ({
  connection,
  namespace,
  shutdownGraceTime,
  interceptors: { activity: [addLogContext] },
  identity: processIdentity('worker'),
  // The SDK throttles heartbeats; one per second suffices for a heartbeat timeout of two seconds.
  maxHeartbeatThrottleInterval: '1s',
});

function workflowOptions({ roles, workflowBundle, activities }: WorkersOptions): Partial<WorkerOptions> {
  const { perform: _perform, ...steps } = activities;
  const delivers = roles.has('deliveries');
  return {
    ...(workflowBundle && { workflowBundle }),
    patchActivationCallback: activatePatch,
    // A deferred delivery becomes an activity, which a worker with the role `deliveries` takes.
    activities: delivers ? steps : { ...steps, deliver: () => Promise.resolve({ result: 'deferred' }) },
    enableNonLocalActivities: delivers,
    // After this time, another worker takes over the cached workflows of a dead worker.
    stickyQueueScheduleToStartTimeout: '1s',
    // Sleeping artworks need no place in the cache: a wake-up replays their short history.
    maxCachedWorkflows: workflowTaskSlots,
    maxConcurrentWorkflowTaskExecutions: workflowTaskSlots,
    maxConcurrentLocalActivityExecutions: workflowTaskSlots,
  };
}

function deliveryOptions({ activities }: WorkersOptions): Partial<WorkerOptions> {
  const { deliverSlowly } = activities;
  return { activities: { deliverSlowly }, maxConcurrentActivityTaskExecutions: 200 };
}
