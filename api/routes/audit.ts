/** Lists the changes to an organization's keys and webhook secret. */
import { viewAudit } from '../../services/audit-view.ts';
import * as store from '../../store/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Handler, ownOrganization } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';

export function listAudit(deps: Dependencies): Handler<'listAudit'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { limit, cursor } = pageOf(call.request);
    const entries = await store.listAudit(deps.db, orgId, limit + 1, cursor);
    call.response.json(toPage(entries, limit, viewAudit));
  };
}
