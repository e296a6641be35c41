/** Which patches of the workflow code apply. */
import type { PatchActivationCallback } from '@temporalio/worker';

/**
 * The patches that the last release contains. A newer patch stays inactive for one release, so that workers of the last
 * release can continue every artwork of this one, during a deploy and after a rollback.
 */
const known: readonly string[] = ['claims-end', 'claims-shown', 'stages-end-whole'];

/** Decides when a workflow meets a patch for the first time. A workflow that has passed a patch keeps it. */
export const activatePatch: PatchActivationCallback = ({ patchId }) => known.includes(patchId);
