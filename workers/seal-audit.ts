/** Seals the audit log, and reports each seal in the log: a witness that a change to the database does not reach. */
import type { Dependencies } from '../activities/dependencies.ts';
import { sealedMessage } from '../schemas/audit.ts';
import { oldestUnsealed, sealNext } from '../store/seal-audit.ts';

export async function sealAudit(
  { db, vault, log, metrics, now }: Pick<Dependencies, 'db' | 'vault' | 'log' | 'metrics' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const began = now();
  while (!signal.aborted) {
    const seal = await sealNext(db, vault, new Date(now()));
    if (!seal) break;
    const { org, number, entries, sha256 } = seal;
    log.info({ orgId: org ?? null, seal: number, entries: entries.length, sha256 }, sealedMessage);
    if (!seal.previousVerified) log.error({ orgId: org ?? null, seal: number - 1 }, unverified);
  }
  const sealedUntil = (await oldestUnsealed(db))?.getTime() ?? began;
  metrics.auditSealed.set(sealedUntil / 1000);
}

const unverified = 'A seal of the audit log could not be verified. Run: operator audit verify';
