/** Deletes files that are not needed after the end of an artwork, without delaying its event. */
import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../runtime/deadline.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds that the end of an artwork waits for the deletion, so that the files are usually gone with its event. */
const longestWait = 500;
/** Milliseconds of one attempt. A network file system can hang. */
const attemptTimeout = 30_000;
/** Milliseconds between attempts. */
const pauses = [5000, 30_000, 5 * 60_000, 30 * 60_000, 2 * 3600_000];

/**
 * Waits for the deletion only briefly. If the deletion fails or takes longer, this process repeats it for about 2.6 hours.
 * If the process stops first, the purge deletes the files. Never throws.
 */
export async function deleteSoon(
  { log }: Pick<Dependencies, 'log'>,
  artworkId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const deletion = repeat(work).catch((err: unknown) =>
    log.warn({ err, artworkId }, 'Could not delete files of an artwork that has ended; the purge deletes them'),
  );
  const waiting = new AbortController();
  await Promise.race([deletion, delay(longestWait, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();
}

/** @throws the error of the last attempt */
async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      return void (await within(attemptTimeout, work));
    } catch (error) {
      if (pause === null) throw error;
    }
    // Does not keep a stopping process alive.
    await delay(pause, undefined, { ref: false });
  }
}
