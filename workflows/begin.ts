/** The first step of an artwork or a synchronous request, and the claim of an id whose request was never stored. */
import { sleep } from '@temporalio/workflow';
import type { ArtworkInput, Outline } from '../schemas/workflow.ts';
import { purging, steps } from './activities.ts';
import { isPermanentFailure } from './failures.ts';
import { setStatusOfClaim } from './visibility.ts';

/** Returns the shape of the plan, `failed` after an unexpected failure, or null when the request was never stored. */
export async function begin(input: ArtworkInput): Promise<Outline | 'failed' | null> {
  return steps.begin(input).catch((error: unknown) => {
    if (isPermanentFailure(error)) return 'failed';
    throw error;
  });
}

/** Keeps the claim of an id until the request would have expired, because no insert can arrive after that. */
export async function holdClaim({ id, expiresAt }: ArtworkInput): Promise<void> {
  setStatusOfClaim();
  await sleep(Math.max(expiresAt - Date.now(), 0), { summary: 'until the claim ends' });
  await purging.purge({ id });
}
