/** Lists the destinations of webhooks that fail, and resumes those that are paused. */
import { viewDestination } from '../../services/destination-view.ts';
import { Problem, rejectFailures } from '../../services/problem.ts';
import { listFailing, resume } from '../../store/destinations.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, ownOrganization } from '../http/handler.ts';
import { readPage, toPage } from '../http/page.ts';

export function listWebhookDestinations(deps: Dependencies): Handler<'listWebhookDestinations'> {
  return async (call) => {
    const org = ownOrganization(call);
    const { failures, limit, cursor } = readPage(call.request, isOrigin);
    rejectFailures(failures);
    const rows = await listFailing(deps.db, org, { limit: limit + 1, after: cursor });
    const items = rows.map((row) => ({ id: row.origin, row }));
    call.response.json(toPage(items, limit, ({ row }) => viewDestination(row)));
  };
}

export function resumeWebhookDestination(deps: Dependencies): Handler<'resumeWebhookDestination'> {
  return async (call) => {
    const org = ownOrganization(call);
    const { origin } = await call.readBody();
    const destination = { org, origin };
    if (!(await resume(deps.db, destination, new Date(deps.now()), authorOf(call)))) {
      throw new Problem('not_found', { message: 'Your organization has no failing destination with this origin.' });
    }
    call.response.status(204).end();
  };
}

const isOrigin = (text: string) => URL.parse(text)?.origin === text;
