/** The contents of audit entries and seals as canonical JSON, and their digests. `jq -cS` writes the same JSON. */
import { createHash } from 'node:crypto';
import type { AuditEntry, AuditSeal } from './entities.ts';

/** Returns the content of an entry: every field but its seal. */
export function contentOfEntry(entry: Omit<AuditEntry, 'seal'>): object {
  const { id, org, at, actor, operatorName, action, target, changes, address, requestId } = entry;
  return {
    ...{ id, orgId: org ?? null, at: at.toISOString(), actor, operatorName: operatorName ?? null, action, target },
    ...{ changes, address: address ?? null, requestId: requestId ?? null },
  };
}

/** The fields of a seal that its digest covers. */
export type SealContent = Omit<AuditSeal, 'id' | 'sha256' | 'hmac'>;

export function contentOfSeal(seal: SealContent): object {
  const { org, number, sealedAt, entries, previous, previousSealedAt, previousVerified, secretId } = seal;
  return {
    ...{ orgId: org ?? null, number, sealedAt: sealedAt.toISOString(), entries, previous: previous ?? null },
    ...{ previousSealedAt: previousSealedAt?.toISOString() ?? null, previousVerified, secretId },
  };
}

export const digestOfEntry = (entry: AuditEntry): string => digest(contentOfEntry(entry));
export const digestOfSeal = (seal: SealContent): string => digest(contentOfSeal(seal));

/** Returns the SHA-256 of the JSON with sorted names and without spaces, as hex. */
const digest = (content: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
