/** Writes what only this process knows: trying the whole step again would repeat what cannot be taken back. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../store/database.ts';
import type { Dependencies } from './dependencies.ts';

/** With the try to deliver and the database's own time limits it stays below the step's 30 s. */
const patience = 8000;
const pause = 200;

/** @throws what the last try threw */
export async function persistently(deps: Pick<Dependencies, 'now'>, write: () => Promise<void>): Promise<void> {
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
