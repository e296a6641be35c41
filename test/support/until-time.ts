/** Waits for a time of the service, such as the expiry of a key. */
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves a moment after the time. */
export const untilTime = (time: string | Date): Promise<void> => delay(new Date(time).getTime() - Date.now() + 20);
