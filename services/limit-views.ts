/** Shows the limits of an organization with their current use in one environment. */
import { creditPeriods } from '../schemas/credit-periods.ts';
import type { LimitView } from '../schemas/limits-view.ts';
import { type LimitName, limitNames, type Limits, organizationLimits } from '../schemas/limits.ts';
import type { Operation } from '../schemas/operation.ts';
import type { Database } from '../store/database.ts';
import {
  countKeys,
  countStyles,
  countUnfinished,
  type LimitHolder,
  sumCredits,
  sumStoredBytes,
} from '../store/limit-use.ts';

export interface Use {
  used: number | null;
  /** Default: null. */
  resetsAt?: Date | null;
}

/** The use of each limit. */
export type Uses = Record<LimitName, Use>;

/** The limits whose use the database holds. */
type StoredUse = Omit<
  Uses,
  'creationsPerMinute' | 'requestsPerMinute' | 'uploadBytesPerMinute' | 'waitingRequests' | 'streams'
>;

/** Reads the use that the database holds. */
export async function readStoredUse(db: Database, holder: LimitHolder, now: Date): Promise<StoredUse> {
  const [unfinishedArtworks, storedBytes, keys, styles, ...credits] = await Promise.all([
    countUnfinished(db, holder),
    sumStoredBytes(db, holder),
    countKeys(db.em(), holder, now),
    countStyles(db, holder, encoder),
    ...creditPeriods(now).map(({ since }) => sumCredits(db.em(), holder, since)),
  ]);
  const [day, month] = creditPeriods(now).map(({ resetsAt }, index) => ({ used: credits[index] ?? null, resetsAt }));
  const nothing = { used: null };
  return {
    ...{ unfinishedArtworks: { used: unfinishedArtworks }, storedBytes: { used: storedBytes } },
    ...{ keys: { used: keys }, styles: { used: styles } },
    ...{ creditsPerDay: day ?? nothing, creditsPerMonth: month ?? nothing },
  };
}

/** The operation that encodes styles. */
const encoder: Operation['name'] = 'style-dna/generate-anchor';

export function viewLimits(limits: Limits, uses: Uses): LimitView[] {
  return limitNames.map((name) => {
    const { unit, description } = organizationLimits[name];
    const { used, resetsAt } = uses[name];
    return { name, limit: limits[name], used, unit, resetsAt: resetsAt?.toISOString() ?? null, description };
  });
}
