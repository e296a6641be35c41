/** Repeats an attempt until it succeeds, the process ends, or the timeout passes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';
import { lastLines } from './log-tail.ts';

export interface Wait {
  name: string;
  child: Child;
  seconds?: number;
}

export async function waitUntil<T>({ name, child, seconds = 60 }: Wait, attempt: () => Promise<T>): Promise<T> {
  const ended = child.exited.then(
    ({ code, signal }) => `${name} ended while starting (${signal ?? `exit code ${code}`})`,
  );
  const until = Date.now() + seconds * 1000;
  let cause: unknown;
  for (;;) {
    const failed = await Promise.race([
      ended,
      attempt().then(
        (value) => ({ value }),
        (error: unknown) => void (cause = error),
      ),
    ]);
    if (typeof failed === 'object') return failed.value;
    if (typeof failed === 'string')
      throw new Error(`${failed}. The end of its log:\n${lastLines(child.logFile, child.logStart)}`);
    if (Date.now() > until) {
      await child.stop({ deadline: 1000 });
      throw new Error(
        `${name} was not ready after ${seconds} s. The end of its log:\n${lastLines(child.logFile, child.logStart)}`,
        { cause },
      );
    }
    await sleep(25);
  }
}
