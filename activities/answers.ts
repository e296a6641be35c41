/** What a receiver's answer to a delivery means. */

/** A receiver cannot push a try further away than the schedule's longest wait. */
const longestRetryAfter = 24 * 3600_000;

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Whether no more tries follow: the receiver has it, or wants none. @param status null when there was no answer */
export function isFinal(status: number | null): boolean {
  return status !== null && (isSuccess(status) || status === 410);
}

/** Words for the record where an answer does not count; null where it does, or there was none. */
export function explain(status: number | null): string | null {
  if (status === null || isSuccess(status)) return null;
  if (status >= 300 && status < 400) return 'redirects are not followed';
  if (status === 410) return 'the receiver wants no more tries';
  return `the receiver answered ${status}`;
}

/** Seconds or an HTTP date, as milliseconds from now; 0 when there is none. */
export function retryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), longestRetryAfter);
}
