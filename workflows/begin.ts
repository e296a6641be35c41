/** The first step of an artwork or a synchronous request, and the claim of an id whose request was never stored. */
import { sleep } from '@temporalio/workflow';
import type { ArtworkInput, Outline } from '../schemas/workflow.ts';
import { purging, steps } from './activities.ts';
import { isPermanentFailure } from './failures.ts';
import { setStatusOfClaim } from './visibility.ts';

/**
 * How long a claim is kept. Longer than an API takes to reject a request whose insert it has delayed
 * (`latestInsert` in `services/create-artwork.ts`).
 */
const claimRetention = 3600_000;

/** Returns the milliseconds until a claim ends. Earlier releases kept it until the request would have expired. */
export const untilClaimEnds = ({ expiresAt }: ArtworkInput): number =>
  Math.min(Math.max(expiresAt - Date.now(), 0), claimRetention);

/** Returns the shape of the plan, `failed` after an unexpected failure, or null when the request was never stored. */
export async function begin(input: ArtworkInput): Promise<Outline | 'failed' | null> {
  return steps.begin(input).catch((error: unknown) => {
    if (isPermanentFailure(error)) return 'failed';
    throw error;
  });
}

/** Keeps the claim of an id until no insert can arrive. */
export async function holdClaim(input: ArtworkInput): Promise<void> {
  setStatusOfClaim();
  await sleep(untilClaimEnds(input), { summary: 'until the claim ends' });
  await purging.purge({ id: input.id });
}
