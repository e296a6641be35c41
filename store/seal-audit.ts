/** Seals new entries of the audit log, so that a later change to them is found. `operator audit verify` checks the seals. */
import { digestOfEntry, digestOfSeal, type SealContent } from './audit-digest.ts';
import type { Database } from './database.ts';
import { AuditEntry, AuditSeal } from './entities.ts';
import { newId } from './ids.ts';
import type { Vault } from './vault.ts';

/** Any number that no other advisory lock of this database has. */
const lock = 2611_2043;
/** Maximum entries of a seal. */
const maxEntries = 500;

/**
 * Seals the oldest unsealed entries of one chain. If a secret is being rotated, also seals, without entries, each chain
 * whose last seal has the previous secret, so that it can be verified without that secret.
 * @returns null when nothing is left to seal, or another process is sealing
 */
export function sealNext(db: Database, vault: Vault, now: Date): Promise<AuditSeal | null> {
  return db.em().transactional(async (em) => {
    const [{ isFree } = { isFree: false }] = await em.execute<{ isFree: boolean }[]>(
      'select pg_try_advisory_xact_lock(?) as "isFree"',
      [lock],
    );
    if (!isFree) return null;
    const [next] = await em.execute<{ org: string | null }[]>(
      vault.isRotating ? unsealedOrWithSecret : unsealed,
      vault.isRotating ? [vault.secretId] : [],
    );
    if (!next) return null;
    const { org } = next;
    const entries = await em.find(AuditEntry, { org, seal: null }, { orderBy: { id: 'asc' }, limit: maxEntries });
    const last = await em.findOne(AuditSeal, { org }, { orderBy: { number: 'desc' } });
    const content: SealContent = {
      org,
      number: (last?.number ?? 0) + 1,
      sealedAt: now,
      entries: entries.map((entry) => ({ id: entry.id, sha256: digestOfEntry(entry) })),
      previous: last?.sha256 ?? null,
      previousSealedAt: last?.sealedAt ?? null,
      previousVerified: last === null || vault.verifySeal(last) === 'valid',
      secretId: vault.secretId,
    };
    const sha256 = digestOfSeal(content);
    const seal = { id: newId('seal', now.getTime()), ...content, sha256, hmac: vault.seal(sha256) };
    await em.insert(AuditSeal, seal);
    await em.nativeUpdate(AuditEntry, { id: { $in: entries.map(({ id }) => id) } }, { seal: seal.number });
    return seal;
  });
}

const unsealed = 'select org_id as org from audit_entry where seal is null limit 1';

/** The chain of an unsealed entry; otherwise, a chain whose last seal has another secret. */
const unsealedOrWithSecret = `
  select org from (${unsealed}) as entries
  union all
  select last.org
  from (select id from organization union all select null) as chain
  cross join lateral (
    select org_id as org, secret_id
    from audit_seal
    where org_id = chain.id or (chain.id is null and org_id is null)
    order by number desc
    limit 1
  ) as last
  where last.secret_id <> ?
  limit 1`;

/** Returns the time of the oldest entry that is not sealed; null when all are. */
export async function oldestUnsealed(db: Database): Promise<Date | null> {
  const [row] = await db
    .em()
    .execute<{ at: string | null }[]>('select min(at) as at from audit_entry where seal is null');
  return row?.at == null ? null : new Date(row.at);
}
