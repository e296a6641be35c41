/** Timeouts that several rooms share: of requests and their steps, and of object storage. */

/**
 * Milliseconds that a request to object storage may take, without the transfer of its bytes, by process: a client waits
 * for an API, a step of a worker is retried, and an operator can wait.
 */
export const fileTimeouts = { api: 2000, worker: 5000, operator: 10_000 } as const;

/** Milliseconds for one call to Temporal, so that most requests get their 503 within three seconds. */
export const temporalTimeout = 2500;

/**
 * Milliseconds for all steps of a request, without the time of its client and of models. The insert of an artwork's row
 * ends within this time after the start of the workflow. It leaves time to end a rejected request within ten seconds.
 * The slowest write of the largest image takes 7 s of it, so that its request may get a 503 while other parts are slow.
 */
export const requestTimeout = 8000;

/** Milliseconds for ending the workflow of a request that was rejected after its start. */
export const abandonTimeout = 1500;

/** Bytes per millisecond below which a transfer to or from object storage counts as failed. */
export const lowestRate = 4000;

/**
 * Milliseconds without a response of PostgreSQL after which a request no longer waits for the end of its artwork or for
 * its result.
 */
export const databaseOutageLimit = 4000;

/** Milliseconds for each step after the wait for an artwork or a result: reading it, or ending the request. */
export const readingTimeout = 3000;

/** Returns the milliseconds that a synchronous request takes at most. @param timeout the configured timeout */
export const longestSynchronousRequest = (timeout: number): number =>
  requestTimeout + timeout + readingTimeout + temporalTimeout;
