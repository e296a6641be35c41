/** Stacks whose worker is `instant-worker.ts`: how long the calls of each model take. */
import type { StackOptions } from './stack.ts';

/**
 * Milliseconds that a call takes, by model. With `embedded`, the embedded engine makes the image as in the service; with
 * `deadly`, the call ends its worker, as one does that needs too much memory.
 */
export type CallTimes = Readonly<Record<string, number | 'embedded' | 'deadly'>>;

/** Milliseconds. A call that takes this long ends only when it is canceled, because no test waits for it. */
export const endless = 120_000;

export const instantWorker = 'test/support/instant-worker.ts';

const variable = 'TEST_CALL_TIMES';

/** Returns the options of a stack in which calls take these times; calls of other models take no time. */
export function timed(times: CallTimes, env: NodeJS.ProcessEnv = {}): Pick<StackOptions, 'workerEntry' | 'env'> {
  return { workerEntry: instantWorker, env: { ...env, [variable]: JSON.stringify(times) } };
}

/** Returns the times that `timed` has put into the environment of a worker. */
export function callTimes(env: NodeJS.ProcessEnv): CallTimes {
  return JSON.parse(env[variable] ?? '{}') as CallTimes;
}
