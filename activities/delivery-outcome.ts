/** The outcome of a delivery attempt, as a metric label. */
import type { PostResult } from './outbound.ts';

/** The error of an attempt that was not made because its destination is paused. */
export const pausedError = 'destination paused';

export function outcomeOf({ status, error }: Pick<PostResult, 'status' | 'error'>): string {
  if (status === null) {
    if (error === 'timeout') return 'timeout';
    if (error === pausedError) return 'paused';
    return error === 'address not allowed' ? 'refused_address' : 'unreachable';
  }
  if (status < 300) return 'delivered';
  if (status < 400) return 'redirect';
  if (status === 410) return 'gone';
  return status < 500 ? '4xx' : '5xx';
}
