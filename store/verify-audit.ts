/** Verifies the audit log against its seals: finds entries and seals that were changed, added or removed. */
import { digestOfEntry, digestOfSeal } from './audit-digest.ts';
import { always, pagesOfSeals } from './audit-pages.ts';
import type { Database } from './database.ts';
import { AuditEntry, type AuditSeal } from './entities.ts';
import { firstId } from './ids.ts';
import { keptSince } from './old-rows.ts';
import type { Vault } from './vault.ts';

/** The first fault of a chain. Those after it may be its consequences. */
export interface AuditFault {
  /** The id of an entry, or `seal` and a number. */
  subject: string;
  fault: string;
}

/** Milliseconds after which an entry must be sealed. */
const longestUnsealed = 15 * 60_000;

/** Returns the first fault of a chain; null when there is none. @param org null: the chain of changes without organization */
export async function verifyChain(
  db: Database,
  vault: Vault,
  org: string | null,
  now: Date,
): Promise<AuditFault | null> {
  const oldest = keptSince(now);
  let last: AuditSeal | null = null;
  /** The first of the seals whose secret is unknown, and that no later seal vouches for. */
  let unknown: AuditSeal | null = null;
  for await (const page of pagesOfSeals(db, org, always)) {
    for (const seal of page) {
      const fault =
        checkNumber(last, seal, oldest) ?? checkContent(last, seal) ?? (await checkEntries(db, seal, oldest));
      if (fault) return fault;
      const verdict = vault.verifySeal(seal);
      if (verdict === 'forged') return faultOf(seal, 'was not made by the service: its HMAC is wrong');
      if (unknown && !seal.previousVerified) return faultOf(unknown, unknownSecret);
      unknown = verdict === 'valid' ? null : (unknown ?? seal);
      last = seal;
    }
  }
  if (unknown) return faultOf(unknown, unknownSecret);
  return findLoose(db, org, now);
}

const unknownSecret = 'cannot be verified: it was made with another ATELIER_SECRET. Set ATELIER_PREVIOUS_SECRET to it';

const faultOf = ({ number }: Pick<AuditSeal, 'number'>, fault: string): AuditFault => ({
  subject: `seal ${number}`,
  fault,
});

/** The numbers of a chain have no gap, and begin with 1 or after a seal that was old enough to be deleted. */
function checkNumber(last: AuditSeal | null, seal: AuditSeal, oldest: Date): AuditFault | null {
  const { number, previousSealedAt } = seal;
  if (last && number <= last.number) return faultOf(seal, 'was added');
  if (last && number > last.number + 1) return faultOf({ number: last.number + 1 }, 'was removed');
  const mayBeFirst = number === 1 || (previousSealedAt != null && previousSealedAt < oldest);
  return last || mayBeFirst ? null : faultOf({ number: number - 1 }, 'was removed');
}

function checkContent(last: AuditSeal | null, seal: AuditSeal): AuditFault | null {
  if (digestOfSeal(seal) !== seal.sha256) return faultOf(seal, 'was changed');
  return last && seal.previous !== last.sha256 ? faultOf(last, 'was replaced') : null;
}

/** Entries that are old enough may be deleted, even if their seal is not. */
async function checkEntries(db: Database, seal: AuditSeal, oldest: Date): Promise<AuditFault | null> {
  const rows = await db.em().find(AuditEntry, { org: seal.org ?? null, seal: seal.number }, { orderBy: { id: 'asc' } });
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { id, sha256 } of seal.entries) {
    const row = found.get(id);
    if (!row && id >= firstId('aud', oldest)) return { subject: id, fault: `was removed from seal ${seal.number}` };
    if (row && digestOfEntry(row) !== sha256) return { subject: id, fault: `was changed after seal ${seal.number}` };
    found.delete(id);
  }
  const [added] = found.keys();
  return added === undefined ? null : { subject: added, fault: `was added to seal ${seal.number}` };
}

/** Returns an entry that names a seal which does not exist, or that should be sealed by now. */
async function findLoose(db: Database, org: string | null, now: Date): Promise<AuditFault | null> {
  const [orphan] = await findOrphans(db, org, firstId('aud', keptSince(now)));
  if (orphan) return faultOf({ number: orphan.seal }, `was removed: ${orphan.id} names it`);
  const before = { org, seal: null, at: { $lt: new Date(now.getTime() - longestUnsealed) } };
  const [late] = await db.em().find(AuditEntry, before, { orderBy: { id: 'asc' }, limit: 1 });
  return late ? { subject: late.id, fault: 'is not sealed, although it is older than 15 minutes' } : null;
}

/** Returns the first entry whose seal does not exist. One statement, because a worker may be sealing. */
function findOrphans(db: Database, org: string | null, since: string): Promise<{ id: string; seal: number }[]> {
  const chain = org === null ? 'org_id is null' : 'org_id = ?';
  return db.em().execute(
    `select id, seal
     from audit_entry
     where
       ${chain}
       and id >= ?
       and seal is not null
       and not exists (select from audit_seal where ${chain} and number = audit_entry.seal)
     order by seal, id
     limit 1`,
    org === null ? [since] : [org, since, org],
  );
}
