/** Keeps the addresses of host names for a short time, and shares a lookup that is running. */
import type { LookupAddress } from 'node:dns';

/** Names that are kept, so that memory has a bound. */
const maxNames = 1000;

export interface Found {
  /** Empty when the name has none. */
  addresses: LookupAddress[];
  /** Milliseconds for which the addresses may be kept. */
  keep: number;
}

/** Keeps no failure: the next caller looks the name up again. */
export function keepBriefly(
  lookup: (hostname: string) => Promise<Found>,
  now: () => number,
): (hostname: string) => Promise<Found> {
  const kept = new Map<string, { found: Promise<Found>; until: number }>();
  return (hostname) => {
    const earlier = kept.get(hostname);
    if (earlier && earlier.until > now()) return earlier.found;
    const entry = { found: lookup(hostname), until: Infinity };
    entry.found.then(
      ({ keep }) => (entry.until = now() + keep),
      () => (entry.until = 0),
    );
    // A map iterates in the order of insertion, so its first name is the oldest.
    kept.delete(hostname);
    kept.set(hostname, entry);
    const [oldest = ''] = kept.keys();
    if (kept.size > maxNames) kept.delete(oldest);
    return entry.found;
  };
}
