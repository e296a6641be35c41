/** The index that finds the entries of a seal, and those that are not sealed yet. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const auditSealIndexes: readonly OnlineIndex[] = [
  { name: 'audit_entry_seal_org_id_id_index', definition: `on "audit_entry" ("seal", "org_id", "id")` },
];

export class AuditSeals extends Migration {
  /** Only an index. */
  override up(): void {}
}
