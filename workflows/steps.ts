/** The activities as workflows call them, and how long each may take and be retried. */
import {
  ActivityCancellationType,
  type ActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { RetryPolicy } from '@temporalio/common';
import type { DeliverySteps, EngineSteps, LocalSteps } from '../activities/index.ts';

/** Doubled waits are never longer than the outage so far; eight days of them leave room in the history. */
const patient = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5m' } satisfies RetryPolicy;

/** They are tried until they succeed: what they need (database, files) comes back. */
export const steps = proxyLocalActivities<Omit<LocalSteps, 'purge' | 'purgeFile'>>({
  startToCloseTimeout: '30s',
  retry: patient,
  localRetryThreshold: '2s',
});

/** A storage that fails may do so for weeks: pauses of ten minutes leave room for that in the history. */
export const purging = proxyLocalActivities<Pick<LocalSteps, 'purge' | 'purgeFile'>>({
  startToCloseTimeout: '30s',
  retry: { ...patient, maximumInterval: '10m' },
  localRetryThreshold: '2s',
});

/** Beats for a dead worker: another takes its calls over within seconds. */
const heartbeatTimeout = '2s';

export const slowly = proxyActivities<DeliverySteps>({
  startToCloseTimeout: '30s',
  heartbeatTimeout,
  retry: patient,
});

/** Milliseconds that an artwork waits for engines that are down, over all tries. */
export const patience = 30 * 60_000;

export const engineOptions = {
  scheduleToCloseTimeout: patience,
  heartbeatTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  // A canceled call may still be writing; the purge that follows must find all that it wrote.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

export const engines = proxyActivities<EngineSteps>(engineOptions);
