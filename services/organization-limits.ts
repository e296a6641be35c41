/** Reads the limits in force for an organization, and keeps them for a moment. */
import { withoutDeadline } from '../runtime/deadline.ts';
import type { Limits } from '../schemas/limits.ts';
import type { Database } from '../store/database.ts';
import { findOwnLimits } from '../store/organization-limits.ts';

/** Returns the limits of an organization. A change takes effect within `kept` milliseconds. */
export type ReadLimits = (org: string) => Promise<Limits>;

/** Milliseconds. */
const kept = 2000;
/** Organizations whose limits are kept, so that memory has a bound. */
const maxOrganizations = 10_000;

export function openLimits(db: Database, defaults: Limits): ReadLimits {
  const known = new Map<string, { limits: Promise<Limits>; until: number }>();
  return (org) => {
    const earlier = known.get(org);
    if (earlier && earlier.until > performance.now()) return earlier.limits;
    // Other requests share the query, so the deadline of this one must not end it.
    const limits = withoutDeadline(() => findOwnLimits(db, org)).then((own) => ({ ...defaults, ...own }));
    const forget = () => known.delete(org);
    limits.catch(forget);
    known.delete(org);
    known.set(org, { limits, until: performance.now() + kept });
    const [oldest = ''] = known.keys();
    if (known.size > maxOrganizations) known.delete(oldest);
    return limits;
  };
}
