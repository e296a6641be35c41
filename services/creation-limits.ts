/** Accepts a creation within the limits of its organization. */
import type { Limits } from '../schemas/limits.ts';
import { requireCredits } from '../store/credit-limits.ts';
import { LimitExceeded, requireRoom } from '../store/limit-exceeded.ts';
import { countStyles, countUnfinished, type LimitHolder } from '../store/limit-use.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { Held, InProgress } from './in-progress.ts';

export interface CreationLimits {
  limits: Limits;
  inProgress: InProgress;
}

interface NewWork {
  holder: LimitHolder;
  /** The highest price. */
  price: number;
  /** The operation, if it encodes a style. */
  encoder: string | null;
}

/**
 * Runs `accept` unless its artwork would exceed a limit. Creations of this process count as soon as they begin, so that
 * concurrent ones cannot exceed a limit together. Other processes count them when they are stored.
 * @throws LimitExceeded; the error of `accept`
 */
export async function withinLimits<T>(
  { db, now }: Pick<CreationDependencies, 'db' | 'now'>,
  { limits, inProgress }: CreationLimits,
  { holder, price, encoder }: NewWork,
  accept: () => Promise<T>,
): Promise<T> {
  const { environment } = holder;
  const held: Held[] = [];
  const check = async (name: 'unfinishedArtworks' | 'styles', count: () => Promise<number>) => {
    const allowed = limits[name];
    if (allowed === null) return;
    const one = inProgress.begin(name, holder);
    held.push(one);
    requireRoom(name, { environment, allowed, used: one.before + (await count()), requested: 1 });
  };
  try {
    await check('unfinishedArtworks', () => countUnfinished(db, holder));
    if (encoder !== null) await check('styles', () => countStyles(db, holder, encoder));
    // The insert enforces these limits. This check avoids starting a workflow for a request that exceeds them.
    await requireCredits(db.em(), holder, price, limits, new Date(now()));
    return await accept();
  } finally {
    for (const one of held) one.end();
  }
}

/** Returns whether the limits of the organization leave enough credits for a price. */
export async function fitsCredits(
  { db, now }: Pick<CreationDependencies, 'db' | 'now'>,
  { limits }: CreationLimits,
  holder: LimitHolder,
  price: number,
): Promise<boolean> {
  try {
    await requireCredits(db.em(), holder, price, limits, new Date(now()));
    return true;
  } catch (error) {
    if (error instanceof LimitExceeded) return false;
    throw error;
  }
}
