/** Repeats a check until it passes. */

/** @throws the error of the last attempt, after `timeout` milliseconds */
export async function eventually<T>(check: () => T | Promise<T>, timeout = 20_000, pause = 50): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
