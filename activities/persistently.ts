/** Writes what only this process knows: trying the whole step again would repeat what cannot be taken back. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../store/database.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds. With the try to deliver and the database's own time limits it stays below that step's 30 s. */
export const patienceOfTries = 8000;
/** Milliseconds for what may have been paid for: as long as a database takes to fail over. `begin` gives grace for it. */
export const patienceOfCalls = 60_000;
const pause = 200;

/** @throws what the last try threw */
export async function persistently(
  deps: Pick<Dependencies, 'now'>,
  patience: number,
  write: () => Promise<void>,
): Promise<void> {
  const giveUpAt = deps.now() + patience;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || deps.now() >= giveUpAt) throw error;
    }
    await delay(pause);
  }
}
