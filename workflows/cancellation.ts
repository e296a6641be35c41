/** Cancellation of parts of a workflow. */
import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

export function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

/**
 * Runs `work` and cancels it when `isCanceled` becomes true. Waits in both cases until `work` has ended.
 * @returns the result of `work`, or undefined when `isCanceled` has become true
 */
export function runUnless<T>(isCanceled: () => boolean, work: () => Promise<T>): Promise<T | undefined> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    void condition(isCanceled).then(() => scope.cancel(), ignoreCancellation);
    try {
      const result = await work();
      return isCanceled() ? undefined : result;
    } catch (error) {
      if (isCanceled() && isCancellation(error)) return undefined;
      throw error;
    }
  });
}
