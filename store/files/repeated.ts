/** Repeats requests to a store that is unavailable for a moment. */
import { setTimeout as delay } from 'node:timers/promises';
import { FilesUnavailable } from './unavailable.ts';

const attempts = 4;
/** Milliseconds after the first attempt; longer after each further one. */
const pause = 1000;

/** @throws FilesUnavailable when the store stays unavailable; all other errors at once */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FilesUnavailable) || attempt === attempts) throw error;
    }
    await delay(pause * attempt);
  }
}
