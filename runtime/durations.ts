/** Reads settings that are durations. */
import ms, { type StringValue } from 'ms';
import { deliveryJitter } from '../schemas/webhook.ts';
import type { Config } from './config.ts';
import { StartupError } from './startup-error.ts';

/** Returns milliseconds. @throws StartupError that names the variable */
export function readDuration(name: string, text: string): number {
  // Requires a unit, because `ms` would read `8` as 8 milliseconds.
  const hasForm = /^(0|\d[\d.]{0,15} ?[a-z]{1,15})$/i.test(text.trim());
  const value = hasForm ? (ms(text.trim() as StringValue) as number | undefined) : undefined;
  if (value === undefined)
    throw new StartupError(`${name} must be a duration such as 5s, 30m or 8 days, not "${text}".`);
  return value;
}

interface RetentionSettings {
  ATELIER_RETENTION: string;
  ATELIER_WEBHOOK_SCHEDULE: string;
}

/** @throws StartupError when artworks would be purged before the last attempt of the schedule */
export function readRetention(read: RetentionSettings): Pick<Config, 'retention' | 'webhookSchedule'> {
  const retention = readDuration('ATELIER_RETENTION', read.ATELIER_RETENTION);
  const waits = read.ATELIER_WEBHOOK_SCHEDULE.split(',');
  const webhookSchedule = waits.map((wait) => readDuration('ATELIER_WEBHOOK_SCHEDULE', wait));
  const longest = webhookSchedule.reduce((sum, wait) => sum + wait, 0) * (1 + deliveryJitter);
  if (longest <= retention) return { retention, webhookSchedule };
  throw new StartupError(
    `ATELIER_RETENTION must be at least ${roundedUp(longest)}: the waits of ATELIER_WEBHOOK_SCHEDULE can take that long, ` +
      'including jitter. Lengthen the retention or shorten the schedule.',
  );
}

/** @param time milliseconds */
function roundedUp(time: number): string {
  return time > 10 * 3600_000 ? `${Math.ceil(time / 3600_000)}h` : `${Math.ceil(time / 1000)}s`;
}
