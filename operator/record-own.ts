/** Records a change by the operator that is no database transaction: before a workflow or a file changes. */
import type { AuditAction } from '../schemas/audit.ts';
import { recordChange } from '../store/audit.ts';
import type { Context } from './context.ts';

interface OwnChange {
  action: AuditAction;
  target: string;
  /** Default: null, the change belongs to no organization. */
  org?: string | null;
  changes?: Record<string, unknown>;
}

export function recordOwn({ db, author }: Context, { org = null, changes = {}, ...change }: OwnChange): Promise<void> {
  return recordChange(db.em(), author(), { ...change, org, changes, at: new Date() });
}
