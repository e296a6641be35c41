/** Repeats a check for the time of a purge. */
import { eventually } from '../support/eventually.ts';

/** Milliseconds for the purge of the last artworks. */
const purgeTime = 60_000;

/** Returns the message of the check's last error; an empty list when it passes. */
export async function problemOf(check: () => Promise<void>): Promise<string[]> {
  try {
    await eventually(check, purgeTime, 500);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
