/** The view of an entry in the audit log. */
import type { AuditView } from '../schemas/audit.ts';
import type { AuditEntry } from '../store/entities.ts';

/** Returns an entry as the API and the operator's command line show it. */
export function viewAudit({ id, at, actor, action, target, changes, address, requestId }: AuditEntry): AuditView {
  const rest = { address: address ?? null, requestId: requestId ?? null };
  return { id, at: at.toISOString(), actor, action, target, changes, ...rest };
}
