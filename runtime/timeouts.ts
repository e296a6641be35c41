/** Timeouts of an API that other steps depend on: they wait at least as long as a creation can take. */
import { maxImageBytes } from '../schemas/image.ts';

/** Milliseconds that a request of an API to object storage may take, without the transfer of its bytes. */
export const filesTimeout = 2000;

/** Milliseconds for the call that starts a workflow, so that the 503 is sent within three seconds. */
export const workflowStartTimeout = 2500;

/** Bytes per millisecond below which a write to object storage counts as failed, as in `store/files/bucket.ts`. */
const lowestRate = 4000;

/** Milliseconds. The images of a request are written at the same time, each with its own timeout. */
const longestWrite = filesTimeout + maxImageBytes / lowestRate;

/** Milliseconds for the row: two seconds for the connection, two for the insert. */
const longestInsert = 4000;

/** Milliseconds from the start of an artwork's workflow to the end of the insert of its row, at most. */
export const longestCreation = workflowStartTimeout + longestWrite + longestInsert;
