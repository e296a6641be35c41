/** The audit log of keys and secrets. An entry is written in the same transaction as its change. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { AuditEntry } from './entities.ts';
import { newId } from './ids.ts';

/** The author of a change. */
export interface Author {
  /** The id of a key, `operator` or `service`. */
  actor: string;
  address: string | null;
  requestId: string | null;
}

/** The author of changes that the service makes itself. */
export const service: Author = { actor: 'service', address: null, requestId: null };

export const operator: Author = { actor: 'operator', address: null, requestId: null };

/** Writes an entry, in the transaction of its change. @param entry `changes` must not contain secrets */
export async function recordChange(
  em: EntityManager,
  author: Author,
  entry: Pick<AuditEntry, 'org' | 'action' | 'target' | 'changes' | 'at'>,
): Promise<void> {
  await em.insert(AuditEntry, { id: newId('aud', entry.at.getTime()), ...author, ...entry });
}

/** Returns entries, newest first. @param before the last id of the previous page */
export function listAudit(db: Database, orgId: string, limit: number, before: string | null): Promise<AuditEntry[]> {
  const where = { org: orgId, ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(AuditEntry, where, { orderBy: { id: 'desc' }, limit });
}
