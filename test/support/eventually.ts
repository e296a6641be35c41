/** Tries a check again until it passes. */

/** @throws what the last try threw, after `timeout` milliseconds */
export async function eventually<T>(check: () => T | Promise<T>, timeout = 20_000, pause = 50): Promise<T> {
  const giveUpAt = Date.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
