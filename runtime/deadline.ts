/** Limits how long a step may take. */

/**
 * Runs `work` and aborts it at the deadline. Does not rely on `work` to notice the signal.
 * @param timeout milliseconds
 * @throws TimeoutError (by name) at the deadline
 */
export async function within<T>(timeout: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new DOMException('The deadline has passed', 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, timeout);
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
