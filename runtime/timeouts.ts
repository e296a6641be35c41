/** Timeouts that several rooms share: of object storage, and of a creation, for which other steps wait. */
import { maxImageBytes } from '../schemas/image.ts';

/**
 * Milliseconds that a request to object storage may take, without the transfer of its bytes, by process: a client waits
 * for an API, a step of a worker is retried, and an operator can wait.
 */
export const fileTimeouts = { api: 2000, worker: 5000, operator: 10_000 } as const;

/** Milliseconds for the call that starts a workflow, so that the 503 is sent within three seconds. */
export const workflowStartTimeout = 2500;

/** Bytes per millisecond below which a transfer to or from object storage counts as failed. */
export const lowestRate = 4000;

/** Milliseconds. The images of a request are written at the same time, each with its own timeout. */
const longestWrite = fileTimeouts.api + maxImageBytes / lowestRate;

/** Milliseconds for the row: two seconds for the connection, two for the insert. */
const longestInsert = 4000;

/** Milliseconds from the start of an artwork's workflow to the end of the insert of its row, at most. */
export const longestCreation = workflowStartTimeout + longestWrite + longestInsert;

/** Milliseconds for ending a synchronous request at its timeout and for reading its result, while PostgreSQL responds. */
const longestReading = 8000;

/** Returns the milliseconds that a synchronous request takes at most. @param timeout the configured timeout */
export const longestSynchronousRequest = (timeout: number): number =>
  workflowStartTimeout + longestInsert + timeout + longestReading;
