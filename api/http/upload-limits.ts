/** Limits the bytes that an organization uploads per minute, and those that it stores. */
import { requireRoom } from '../../store/limit-exceeded.ts';
import { type LimitHolder, sumStoredBytes } from '../../store/limit-use.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Held } from '../../services/in-progress.ts';
import { countShared } from './shared-rate.ts';

/**
 * Runs an upload, which calls `admit` with its size once. Uploads in progress count as stored, so that concurrent ones of
 * this process cannot exceed the limit together.
 * @throws LimitExceeded; the error of `upload`
 */
export async function withUploadLimits<T>(
  deps: Dependencies,
  holder: LimitHolder,
  upload: (admit: (bytes: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { storedBytes: allowed, uploadBytesPerMinute } = await deps.limitsOf(holder.org);
  const { environment } = holder;
  const held: Held[] = [];
  const admit = async (bytes: number) => {
    await countShared(deps, holder, 'uploadBytesPerMinute', uploadBytesPerMinute, bytes);
    if (allowed === null) return;
    const one = deps.inProgress.begin('storedBytes', holder, bytes);
    held.push(one);
    const used = one.before + (await sumStoredBytes(deps.db, holder));
    requireRoom('storedBytes', { environment, allowed, used, requested: bytes });
  };
  try {
    return await upload(admit);
  } finally {
    for (const one of held) one.end();
  }
}
