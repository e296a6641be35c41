/** How our processes end. */
import type { Logger } from './log.ts';

/** Resolves at SIGTERM, SIGINT, or when the process that started this one is gone. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}

/** What nobody caught ends the process with one line of the log, which tells no more than its other errors do. */
export function endOnError(log: Logger): void {
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'ended by an error');
    process.exit(1);
  });
}
