/** The end of an artwork or an answer, as it is kept and shown. */
import type { Outcome } from '../schemas/artwork.ts';
import type { Ending } from '../schemas/workflow.ts';
import { broken, showStatus } from './begin.ts';
import { hasFailed } from './failure.ts';
import { steps } from './steps.ts';
import { tell } from './story.ts';

export async function finish(id: string, ending: Ending): Promise<void> {
  const status = await keep(id, ending);
  showStatus(status);
  tell(ending.failure && status === 'FAILED' ? `${status}: ${ending.failure.code}` : status);
}

/** The database decides between an end and a cancellation. Steps of earlier releases have not said how. */
async function keep(id: string, ending: Ending): Promise<Outcome> {
  try {
    return (await steps.finish({ id, ending })) ?? ending.status;
  } catch (error) {
    if (!hasFailed(error)) throw error;
    return (await steps.finish({ id, ending: broken })) ?? broken.status;
  }
}
