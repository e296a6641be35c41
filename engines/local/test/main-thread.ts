/** Watches the main thread while work runs in other threads. */

/** Returns how long the work took and the longest time for which the main thread was blocked, both in milliseconds. */
export async function whileWatched<T>(work: () => Promise<T>): Promise<{ result: T; whole: number; longest: number }> {
  let longest = 0;
  let last = performance.now();
  const clock = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const began = performance.now();
  try {
    const result = await work();
    return { result, whole: performance.now() - began, longest };
  } finally {
    clearInterval(clock);
  }
}
