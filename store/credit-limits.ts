/** Limits the credits that an organization spends by day and by month. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { creditPeriods } from '../schemas/credit-periods.ts';
import type { Limits } from '../schemas/limits.ts';
import { requireRoom } from './limit-exceeded.ts';
import { type LimitHolder, sumCredits } from './limit-use.ts';

export type CreditLimits = Pick<Limits, 'creditsPerDay' | 'creditsPerMonth'>;

const isLimited = (price: number, { creditsPerDay, creditsPerMonth }: CreditLimits) =>
  price > 0 && (creditsPerDay !== null || creditsPerMonth !== null);

/**
 * Lets one transaction at a time reserve credits of a limited organization, so that the limit holds exactly across
 * processes. It must be the first statement of the transaction, because a waiting one must hold no other lock.
 * @throws LimitExceeded
 */
export async function lockCredits(
  em: EntityManager,
  holder: LimitHolder,
  price: number,
  limits: CreditLimits,
  now: Date,
): Promise<void> {
  if (!isLimited(price, limits)) return;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`credits of ${holder.org}`]);
  await requireCredits(em, holder, price, limits, now);
}

/** Checks the limits without a lock. @throws LimitExceeded */
export async function requireCredits(
  em: EntityManager,
  holder: LimitHolder,
  price: number,
  limits: CreditLimits,
  now: Date,
): Promise<void> {
  if (!isLimited(price, limits)) return;
  for (const { name, since, resetsAt } of creditPeriods(now)) {
    const allowed = limits[name];
    if (allowed === null) continue;
    const used = await sumCredits(em, holder, since);
    requireRoom(name, { environment: holder.environment, allowed, used, requested: price, resetsAt });
  }
}
