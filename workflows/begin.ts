/** How the work of artworks and answers begins, and what its end looks like from outside. */
import { isCancellation, patched, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { ArtworkInput, Ending, Outline } from '../schemas/workflow.ts';
import { hasFailed } from './failure.ts';
import { purging, steps } from './steps.ts';

/** The end of what could not even begin. */
export const broken: Ending = {
  status: 'FAILED',
  failure: { call: '', model: '', code: 'internal_error', message: null },
  failures: [],
};

/** @returns null when the request was never stored */
export async function begin(input: ArtworkInput): Promise<Outline | 'failed' | null> {
  return steps.begin(input).catch((error: unknown) => {
    if (hasFailed(error)) return 'failed';
    throw error;
  });
}

/** Keeps the claim of an id until its retention would have ended: no insert can come that late. */
export async function endClaim({ id, expiresAt }: ArtworkInput): Promise<void> {
  showClaim();
  await sleep(Math.max(expiresAt - Date.now(), 0), { summary: 'until the claim ends' });
  await purging.purge({ id });
}

/** Else it would be listed among those that are being worked on. */
export function showClaim(): void {
  if (patched('claims-shown')) showStatus('ABANDONED');
}

export function showStatus(status: Ending['status'] | 'ABANDONED'): void {
  upsertSearchAttributes([{ key: { name: searchAttributes.status, type: 'KEYWORD' }, value: status }]);
}

export function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
