/** When a provider ends a job by itself: one whose id was lost in a crash, so that nobody polls or cancels it. */

/** Milliseconds after the timeout of the call, at which we end a job ourselves. */
const margin = 60_000;

/** Returns whole seconds from the submission. @param timeout milliseconds that the call may take */
export const jobDeadline = (timeout: number): number => Math.ceil((timeout + margin) / 1000);
