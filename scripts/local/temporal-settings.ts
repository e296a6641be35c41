/** Temporal's dynamic configuration for this service, for the development server and for a production server alike. */
const queues = ['transfer', 'timer', 'visibility'];

/**
 * Values by key. Without the poll rates, each hop of a server with few shards waits up to 50 ms; with them and the
 * default intervals, the server spends its time on splitting queues.
 */
export const temporalSettings: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(queues.map((queue) => [`history.${queue}ProcessorMaxPollRPS`, 2000])),
  ...Object.fromEntries(queues.map((queue) => [`history.${queue}ProcessorUpdateAckInterval`, '1s'])),
  'system.enableActivityEagerExecution': true,
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  // Order and fairness hold within a partition. One takes more tasks per second than the service makes; the others are
  // still read, so that tasks of a server with other settings are not lost.
  'matching.numTaskqueueWritePartitions': 1,
};

/** Returns the content of a dynamic configuration file with these values. YAML includes JSON. */
export function dynamicFileContent(): string {
  const entries = Object.entries(temporalSettings).map(([key, value]) => [key, [{ value }]]);
  return JSON.stringify(Object.fromEntries(entries));
}
