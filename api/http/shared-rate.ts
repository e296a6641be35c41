/** Limits what all keys of an organization may send per minute: requests, and bytes of uploads. */
import type { ApiKey } from '../../store/entities.ts';
import { requireRoom } from '../../store/limit-exceeded.ts';
import type { LimitHolder } from '../../store/limit-use.ts';
import { type SharedRate, sharedRateName } from '../../store/shared-rates.ts';
import type { Dependencies } from '../dependencies.ts';

/** Bytes are counted in kilobytes, because a count is at most 2147483647. */
const kilobyte = 1024;

/** The size of one point. */
const sizes: Record<SharedRate, number> = {
  creationsPerMinute: 1,
  requestsPerMinute: 1,
  uploadBytesPerMinute: kilobyte,
};

/**
 * Counts an amount, by default one request.
 * @param allowed null: no limit, and nothing is counted
 * @throws LimitExceeded
 */
export async function countShared(
  { limiter, now }: Pick<Dependencies, 'limiter' | 'now'>,
  holder: LimitHolder,
  rate: SharedRate,
  allowed: number | null,
  amount = 1,
): Promise<void> {
  if (allowed === null) return;
  const points = Math.ceil(amount / sizes[rate]);
  const { count, left } = await limiter.increment(sharedRateName(rate, holder), points, allowed / sizes[rate]);
  const { environment } = holder;
  const [used, requested] = [(count - points) * sizes[rate], amount];
  requireRoom(rate, { environment, allowed, used, requested, resetsAt: new Date(now() + left) });
}

/** Returns what has been counted in this minute, and when the next one begins. */
export async function readShared(
  { limiter, now }: Pick<Dependencies, 'limiter' | 'now'>,
  holder: LimitHolder,
  rate: SharedRate,
): Promise<{ used: number; resetsAt: Date }> {
  const { count, left } = await limiter.read(sharedRateName(rate, holder));
  return { used: count * sizes[rate], resetsAt: new Date(now() + left) };
}

/** Returns what a key has sent in this minute, and when the next one begins. */
export async function readKeyRate(
  { limiter, now }: Pick<Dependencies, 'limiter' | 'now'>,
  { id }: Pick<ApiKey, 'id'>,
  policy: string,
): Promise<{ used: number; resetsAt: Date }> {
  const { count, left } = await limiter.read(`${policy}:${id}`);
  return { used: count, resetsAt: new Date(now() + left) };
}
