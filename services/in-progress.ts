/** Counts what is in progress in this process, by organization and environment. */
import type { LimitName } from '../schemas/limits.ts';
import { requireRoom } from '../store/limit-exceeded.ts';
import type { LimitHolder } from '../store/limit-use.ts';

/** The limits whose use is, or may be, in progress. */
type CountedLimit = Extract<LimitName, 'unfinishedArtworks' | 'styles' | 'storedBytes' | 'waitingRequests' | 'streams'>;

export interface Held {
  /** The total that was in progress before. */
  before: number;
  /** Ends it. A second call does nothing. */
  end(): void;
}

export interface InProgress {
  count(limit: CountedLimit, holder: LimitHolder): number;
  /** Begins something. @param amount such as a number of bytes; default: 1 */
  begin(limit: CountedLimit, holder: LimitHolder, amount?: number): Held;
}

export function createInProgress(): InProgress {
  const totals = new Map<string, number>();
  const nameOf = (limit: CountedLimit, { org, environment }: LimitHolder) => `${limit} ${environment} ${org}`;
  const add = (name: string, amount: number) => {
    const total = (totals.get(name) ?? 0) + amount;
    if (total === 0) totals.delete(name);
    else totals.set(name, total);
  };
  return {
    count: (limit, holder) => totals.get(nameOf(limit, holder)) ?? 0,
    begin(limit, holder, amount = 1) {
      const name = nameOf(limit, holder);
      const before = totals.get(name) ?? 0;
      let isHeld = true;
      add(name, amount);
      return {
        before,
        end() {
          if (isHeld) add(name, -amount);
          isHeld = false;
        },
      };
    },
  };
}

/**
 * Begins something of which only so many may be in progress in this process.
 * @param allowed null: no limit
 * @throws LimitExceeded
 */
export function beginWithin(
  inProgress: InProgress,
  limit: CountedLimit,
  holder: LimitHolder,
  allowed: number | null,
): Held {
  requireRoom(limit, {
    ...{ environment: holder.environment, allowed, requested: 1 },
    used: inProgress.count(limit, holder),
  });
  return inProgress.begin(limit, holder);
}
