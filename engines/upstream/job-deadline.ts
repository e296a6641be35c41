/** Computes when a provider ends a job by itself, so that a job whose id was lost in a crash costs no more. */

/** Milliseconds after the timeout of the call, at which we end a job ourselves. */
const margin = 60_000;

/** Returns whole seconds from the submission. @param timeout milliseconds that the call may take */
export const jobDeadline = (timeout: number): number => Math.ceil((timeout + margin) / 1000);
