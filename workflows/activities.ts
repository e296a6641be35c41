/** The activities as workflows call them, with their timeouts and retry policies. */
import {
  ActivityCancellationType,
  type ActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { RetryPolicy } from '@temporalio/common';
import type { DeliverySteps, EngineSteps, LocalSteps } from '../activities/index.ts';

/** Pauses double, up to five minutes, so that eight days of retries fit into the history. */
const untilSuccess = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5m' } satisfies RetryPolicy;

/** Retried until they succeed, because the database and the file storage recover. */
export const steps = proxyLocalActivities<Omit<LocalSteps, 'purge' | 'purgeFile'>>({
  startToCloseTimeout: '30s',
  retry: untilSuccess,
  localRetryThreshold: '2s',
});

/** Retried until they succeed. Pauses grow to ten minutes, so that weeks of retries fit into the history. */
export const purging = proxyLocalActivities<Pick<LocalSteps, 'purge' | 'purgeFile'>>({
  startToCloseTimeout: '30s',
  retry: { ...untilSuccess, maximumInterval: '10m' },
  localRetryThreshold: '2s',
});

/** Short, so that another worker takes over the calls of a dead worker within seconds. */
const heartbeatTimeout = '2s';

/** Deliveries that got no fast slot. */
export const slowSteps = proxyActivities<DeliverySteps>({
  startToCloseTimeout: '30s',
  heartbeatTimeout,
  retry: untilSuccess,
});

/** Milliseconds that a call waits for engines that are down, over all attempts. */
export const defaultOutageLimit = 30 * 60_000;

export const engineOptions = {
  scheduleToCloseTimeout: defaultOutageLimit,
  heartbeatTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  // A canceled call may still be writing files; the purge that follows must find all of them.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} satisfies ActivityOptions;

export const engines = proxyActivities<EngineSteps>(engineOptions);
