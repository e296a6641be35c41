/** Interprets a receiver's response to a delivery. */

/** The longest Retry-After in milliseconds: the longest pause of the schedule. */
const maxRetryAfter = 24 * 3600_000;

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Returns whether no attempt follows: after a 2xx or a 410. @param status null when there was no response */
export function isFinalStatus(status: number | null): boolean {
  return status !== null && (isSuccess(status) || status === 410);
}

/** Returns the error message for a failed delivery; null after a 2xx or without a response. */
export function describeStatus(status: number | null): string | null {
  if (status === null || isSuccess(status)) return null;
  if (status >= 300 && status < 400) return 'redirects are not followed';
  if (status === 410) return 'the receiver accepts no more deliveries (410)';
  return `the receiver responded with ${status}`;
}

/** Parses seconds or an HTTP date. Returns milliseconds from `now`; 0 without a valid value. */
export function parseRetryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), maxRetryAfter);
}
