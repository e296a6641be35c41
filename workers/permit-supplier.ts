/** Makes a worker of a provider's queue poll only with a permit, through the SDK's slot supplier. */
import { randomUUID } from 'node:crypto';
import type { WorkerTuner } from '@temporalio/worker';
import { createPollPermits, type PollPermits } from '../activities/poll-permits.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { WorkerRole } from '../runtime/worker-roles.ts';
import type { Database } from '../store/database.ts';
import { returnPermits } from '../store/poll-permits.ts';

/** The permits of a process, by task queue. */
export interface ProcessPermits {
  queues: ReadonlyMap<string, PollPermits>;
  /** Gives all permits back. Call it after the workers have ended. */
  close(): Promise<void>;
}

interface Options {
  db: Database;
  catalogue: Catalogue;
  roles: ReadonlySet<WorkerRole>;
  taskQueue: string;
  now(): number;
}

/** Creates the permits for the queues of all providers with limits that this process polls. */
export function createPermits({ db, catalogue, roles, taskQueue, now }: Options): ProcessPermits {
  const worker = randomUUID();
  const queues = new Map<string, PollPermits>();
  for (const [engine, { role, limits = {}, concurrency }] of catalogue.engines) {
    if (!roles.has(role) || (limits.perSecond === undefined && limits.concurrent === undefined)) continue;
    // As many calls may check and store their results as may run at the provider.
    const options = { engine, worker, limits, capacity: 2 * concurrency, now };
    queues.set(`${taskQueue}-${engine}`, createPollPermits(db, options));
  }
  return {
    queues,
    async close() {
      await Promise.all([...queues.values()].map((permits) => permits.close()));
      // Without this, other workers would wait until the permits expire.
      if (queues.size > 0) await returnPermits(db, worker).catch(() => undefined);
    },
  };
}

/** For tasks that a worker of activities does not get. */
const unused = { type: 'fixed-size', numSlots: 1 } as const;

export function permitTuner(permits: PollPermits): WorkerTuner {
  return {
    workflowTaskSlotSupplier: unused,
    localActivityTaskSlotSupplier: unused,
    nexusTaskSlotSupplier: unused,
    activityTaskSlotSupplier: {
      type: 'custom',
      async reserveSlot(_context, signal) {
        await permits.reserve(signal);
        return {};
      },
      // Only for activities that a workflow task of the same worker starts eagerly.
      tryReserveSlot: () => null,
      markSlotUsed: () => permits.take(),
      releaseSlot: ({ slotInfo }) => permits.free(slotInfo !== undefined),
    },
  };
}
