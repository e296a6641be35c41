/** The trail of changes to keys and secrets. An entry is written in the transaction of its change: both, or neither. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { AuditEntry } from './entities.ts';
import { newId } from './ids.ts';

/** Who changes something, and from where. */
export interface Author {
  /** The id of a key, or `operator`. */
  actor: string;
  address: string | null;
  requestId: string | null;
}

export const operator: Author = { actor: 'operator', address: null, requestId: null };

/** @param entry `changes` must hold no secret */
export async function record(
  em: EntityManager,
  author: Author,
  entry: Pick<AuditEntry, 'org' | 'action' | 'target' | 'changes' | 'at'>,
): Promise<void> {
  await em.insert(AuditEntry, { id: newId('aud', entry.at.getTime()), ...author, ...entry });
}

/** Newest first. @param before the id that the page begins after */
export function listAudit(db: Database, orgId: string, limit: number, before: string | null): Promise<AuditEntry[]> {
  const where = { org: orgId, ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(AuditEntry, where, { orderBy: { id: 'desc' }, limit });
}
