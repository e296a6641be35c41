/** Stacks whose worker is `timed-worker.ts`: how long the calls of each model take. */
import type { StackOptions } from './stack.ts';

/** Milliseconds that a call takes, by model. */
export type CallTimes = Readonly<Record<string, number>>;

/** Longer than any test waits for it: such a call ends only when it is canceled. */
export const endless = 120_000;

const variable = 'TEST_CALL_TIMES';

/** Returns the options of a stack in which the models take these times, and all others are as the service has them. */
export function timed(times: CallTimes, env: NodeJS.ProcessEnv = {}): Pick<StackOptions, 'workerEntry' | 'env'> {
  return { workerEntry: 'test/support/timed-worker.ts', env: { ...env, [variable]: JSON.stringify(times) } };
}

/** Returns the times that `timed` has put into the environment of a worker. */
export function callTimes(env: NodeJS.ProcessEnv): CallTimes {
  return JSON.parse(env[variable] ?? '{}') as CallTimes;
}
