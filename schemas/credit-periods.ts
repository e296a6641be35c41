/** The day and the month whose credits are limited, in UTC. */
import type { LimitName } from './limits.ts';

export interface CreditPeriod {
  name: Extract<LimitName, 'creditsPerDay' | 'creditsPerMonth'>;
  /** Its first day: `2026-11-01`. */
  since: string;
  /** The beginning of the next period. */
  resetsAt: Date;
}

/** Returns the current day and month. */
export function creditPeriods(now: Date): CreditPeriod[] {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return [
    {
      name: 'creditsPerDay',
      since: dayOf(Date.UTC(year, month, day)),
      resetsAt: new Date(Date.UTC(year, month, day + 1)),
    },
    { name: 'creditsPerMonth', since: dayOf(Date.UTC(year, month)), resetsAt: new Date(Date.UTC(year, month + 1)) },
  ];
}
