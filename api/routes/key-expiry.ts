/** Reads the expiry that a request gives to a key. */
import { latestExpiry } from '../../schemas/organization.ts';
import { invalidRequest } from '../../services/problem.ts';
import type { ApiKey } from '../../store/entities.ts';

/** Returns the latest expiry of keys that the caller may create; null when there is no limit. */
export function latestFor({ maxKeyDays }: ApiKey, now: Date): Date | null {
  return maxKeyDays == null ? null : new Date(now.getTime() + maxKeyDays * 86_400_000);
}

/**
 * Returns the expiry; null for a key that never expires, undefined when the request does not set it.
 * @param caller whose `maxKeyDays` limits the expiry
 */
export function readExpiry(expiresAt: string | null | undefined, caller: ApiKey, now: Date): Date | null | undefined {
  if (expiresAt === undefined) return undefined;
  const latest = latestFor(caller, now);
  const { maxKeyDays } = caller;
  if (expiresAt === null) {
    if (latest) throw invalidExpiry('required', `is required by your key, which allows at most ${maxKeyDays} days`);
    return null;
  }
  const expiry = new Date(expiresAt);
  // Not `<=`: a leap second is a valid date-time, but JavaScript makes an invalid Date of it.
  if (!(expiry > now)) throw invalidExpiry('future', 'must be a time in the future');
  if (latest && expiry > latest)
    throw invalidExpiry('range', `must be at most ${maxKeyDays} days away, as your key requires`);
  if (expiry > latestExpiry) throw invalidExpiry('range', `must not be after ${latestExpiry.toISOString()}`);
  return expiry;
}

const invalidExpiry = (rule: string, message: string) => invalidRequest({ path: '/expiresAt', rule, message });
