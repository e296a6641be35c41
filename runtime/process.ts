/** The end of a process: stop signals and uncaught exceptions. */
import type { Logger } from './log.ts';

/** Resolves on SIGTERM, on SIGINT, or when the parent process has exited. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}

/** Logs an uncaught exception and exits. */
export function exitOnUncaughtException(log: Logger): void {
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'Uncaught exception');
    process.exit(1);
  });
}
