/** Stores and shows the ending of an artwork or a synchronous request. */
import type { Outcome } from '../schemas/artwork.ts';
import type { Ending } from '../schemas/workflow.ts';
import { steps } from './activities.ts';
import { addDetail } from './details.ts';
import { internalError, isPermanentFailure } from './failures.ts';
import { setStatus } from './visibility.ts';

export async function finish(id: string, ending: Ending): Promise<void> {
  const status = await store(id, ending);
  setStatus(status);
  addDetail(ending.failure && status === 'FAILED' ? `${status}: ${ending.failure.code}` : status);
}

/** Returns the stored status, because an earlier cancellation wins. In old histories, the activity returned nothing. */
async function store(id: string, ending: Ending): Promise<Outcome> {
  try {
    return (await steps.finish({ id, ending })) ?? ending.status;
  } catch (error) {
    if (!isPermanentFailure(error)) throw error;
    return (await steps.finish({ id, ending: internalError })) ?? internalError.status;
  }
}
