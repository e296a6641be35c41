/** Lists the destinations of webhooks that fail, and resumes those that are paused. */
import { viewDestination } from '../../services/destination-view.ts';
import { Problem, rejectFailures } from '../../services/problem.ts';
import { listFailing, resume } from '../../store/destinations.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, ownOrganization } from '../http/handler.ts';
import { readPage, toPage } from '../http/page.ts';

export function listWebhookDestinations(deps: Dependencies): Handler<'listWebhookDestinations'> {
  return async (call) => {
    const owner = { org: ownOrganization(call), environment: call.key.environment };
    const { failures, limit, cursor } = readPage(call.request, isDestinationId);
    rejectFailures(failures);
    const rows = await listFailing(deps.db, owner, { limit: limit + 1, after: cursor });
    call.response.json(toPage(rows, limit, viewDestination));
  };
}

export function resumeWebhookDestination(deps: Dependencies): Handler<'resumeWebhookDestination'> {
  return async (call) => {
    const owner = { org: ownOrganization(call), environment: call.key.environment };
    const { id } = await call.readBody();
    if (!(await resume(deps.db, { ...owner, id }, new Date(deps.now()), authorOf(call)))) {
      throw new Problem('not_found', { message: 'Your organization has no failing destination with this id.' });
    }
    call.response.status(204).end();
  };
}

const isDestinationId = (text: string) => /^dst_[0-9a-f]{26}$/.test(text);
