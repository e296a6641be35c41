/**
 * The audit log. The entry of a change to the database is written in its transaction. The entry of a change that signals a
 * workflow or deletes files is written before it, so that no crash leaves such a change without an entry.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { AuditEntry } from './entities.ts';
import { newId } from './ids.ts';

/** The author of a change. */
export interface Author {
  /** The id of a key, `operator` or `service`. */
  actor: string;
  /** Null unless the actor is `operator`. Clients do not see it. */
  operatorName: string | null;
  address: string | null;
  requestId: string | null;
}

const inside = { operatorName: null, address: null, requestId: null };

/** The author of changes that the service makes itself. */
export const service: Author = { actor: 'service', ...inside };

export const operator: Author = { actor: 'operator', ...inside };

/** A change: what was done to which object. `org` is null when the object belongs to no organization. */
type Change = Pick<AuditEntry, 'org' | 'action' | 'target' | 'changes' | 'at'>;

/** Writes an entry, in the transaction of its change. @param change `changes` must not contain secrets or data of clients */
export async function recordChange(em: EntityManager, author: Author, change: Change): Promise<void> {
  await em.insert(AuditEntry, { id: newId('aud', change.at.getTime()), ...author, ...change });
}

/** Returns entries, newest first. @param before the last id of the previous page */
export function listAudit(db: Database, orgId: string, limit: number, before: string | null): Promise<AuditEntry[]> {
  const where = { org: orgId, ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(AuditEntry, where, { orderBy: { id: 'desc' }, limit });
}
