/** Reads the audit log in pages, so that memory does not grow with it. */
import type { Database } from './database.ts';
import { AuditEntry, AuditSeal, Organization } from './entities.ts';
import { firstId } from './ids.ts';

const pageSize = { entries: 1000, seals: 50 };

/** A time from which, and a time before which, entries were written and seals were made; null: no limit. */
export interface Period {
  since: Date | null;
  until: Date | null;
}

export const always: Period = { since: null, until: null };

/** Returns the chains of the audit log: each organization, and null for changes that belong to none. */
export async function chainsOf(db: Database): Promise<(string | null)[]> {
  const organizations = await db.em().findAll(Organization, { fields: ['id'], orderBy: { id: 'asc' } });
  return [null, ...organizations.map(({ id }) => id)];
}

/** Yields pages of the entries of a chain, oldest first. */
export async function* pagesOfEntries(db: Database, org: string | null, period: Period): AsyncGenerator<AuditEntry[]> {
  const until = period.until === null ? {} : { $lt: firstId('aud', period.until) };
  let from: { $gte?: string; $gt?: string } = period.since === null ? {} : { $gte: firstId('aud', period.since) };
  for (;;) {
    const where = { org, id: { ...from, ...until } };
    const page = await db.em().find(AuditEntry, where, { orderBy: { id: 'asc' }, limit: pageSize.entries });
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < pageSize.entries) return;
    from = { $gt: last.id };
  }
}

/** Yields pages of the seals of a chain in the order of their numbers. */
export async function* pagesOfSeals(db: Database, org: string | null, period: Period): AsyncGenerator<AuditSeal[]> {
  const { since, until } = period;
  const where = { org, sealedAt: { ...(since && { $gte: since }), ...(until && { $lt: until }) } };
  // The id comes second for chains without an organization, in which the database does not keep numbers unique.
  const orderBy = [{ number: 'asc' as const }, { id: 'asc' as const }];
  let after = { number: 0, id: '' };
  for (;;) {
    const { number, id } = after;
    const $or = [{ number: { $gt: number } }, { number, id: { $gt: id } }];
    const page: AuditSeal[] = await db.em().find(AuditSeal, { ...where, $or }, { orderBy, limit: pageSize.seals });
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < pageSize.seals) return;
    after = last;
  }
}

/** Returns the digest of a seal; null when it does not exist. */
export async function findSealDigest(db: Database, org: string | null, number: number): Promise<string | null> {
  return (await db.em().findOne(AuditSeal, { org, number }))?.sha256 ?? null;
}

/** Returns whether an organization was erased: the audit log names its erasure, and it does not exist any more. */
export async function isErased(db: Database, org: string): Promise<boolean> {
  const erasure = { org: null, action: 'organization.erased' as const, target: org };
  const [exists, erasures] = await Promise.all([
    db.em().count(Organization, { id: org }),
    db.em().count(AuditEntry, erasure),
  ]);
  return exists === 0 && erasures > 0;
}
