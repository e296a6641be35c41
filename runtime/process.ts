/** The end of a process: stop signals and uncaught exceptions. */
import { createLogger } from './log.ts';
import { StartupError } from './startup-error.ts';

/** Resolves on SIGTERM, on SIGINT, or when the parent process has exited. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}

/**
 * Tells the parent process that this one drains, so that the parent can start the next one. Closes ports before that,
 * because the next process needs them. Without a parent that listens, they stay open.
 */
export async function handOver(closePorts: () => Promise<unknown> | undefined): Promise<void> {
  if (process.connected !== true) return;
  await closePorts();
  // The parent may have exited meanwhile; then nothing waits for this message.
  if (process.connected) process.send?.({ draining: true }, () => undefined);
}

/**
 * Exits with 1 on an uncaught exception, which it logs. A StartupError becomes one line on standard error.
 * @param name the name of the process in its log
 */
export function exitOnUncaughtException(name: string): void {
  process.once('uncaughtException', (err) => {
    if (err instanceof StartupError) process.stderr.write(`${err.message}\n`);
    else createLogger(name, 'fatal').fatal({ err }, 'Uncaught exception');
    process.exit(1);
  });
}
