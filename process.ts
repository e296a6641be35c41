/** How our processes learn that they should stop. */

/** Resolves at SIGTERM, SIGINT, or when the process that started this one is gone. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}
