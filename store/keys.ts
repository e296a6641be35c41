/** API keys: only a hash is kept, a lookup is one indexed read. */
import { createHash } from 'node:crypto';
import type { Domain, Environment, Scope } from '../schemas/access.ts';
import type { ApiKeyView, KeyStatus } from '../schemas/organization.ts';
import type { Database } from './database.ts';
import { ApiKey } from './entities.ts';
import { newApiKey, newId } from './ids.ts';

export interface NewKey {
  orgId: string;
  label: string;
  scope: Scope;
  domains: Domain[];
  environment: Environment;
  credits: number;
  expiresAt: Date | null;
}

/** The full key never reaches the database; comparing digests in an index says nothing about the key by its timing. */
const digest = (apiKey: string) => createHash('sha256').update(apiKey).digest();

/** @returns the row and the full key: the only time that it is known. */
export async function createKey(db: Database, key: NewKey, now: Date): Promise<{ row: ApiKey; apiKey: string }> {
  const apiKey = newApiKey(key.environment);
  const { orgId, ...fields } = key;
  const row = {
    ...fields,
    id: newId('key', now.getTime()),
    org: orgId,
    hash: digest(apiKey),
    prefix: apiKey.slice(0, 10),
    usageCount: 0,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: now,
  };
  await db.em().insert(ApiKey, row);
  return { row, apiKey };
}

export function findKeyBySecret(db: Database, apiKey: string): Promise<ApiKey | null> {
  return db.em().findOne(ApiKey, { hash: digest(apiKey) });
}

/** @returns null when the organization has no such key */
export function findKey(db: Database, orgId: string, id: string): Promise<ApiKey | null> {
  return db.em().findOne(ApiKey, { id, org: orgId });
}

/** Newest first. */
export function listKeys(db: Database, orgId: string): Promise<ApiKey[]> {
  return db.em().find(ApiKey, { org: orgId }, { orderBy: { id: 'desc' } });
}

/** Revokes once; a second call keeps the first time. */
export async function revokeKey(db: Database, id: string, now: Date): Promise<void> {
  await db.em().nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: now });
}

/** Adds up uses that a process has counted in its memory. */
export async function addUses(db: Database, uses: { id: string; count: number; lastUsedAt: Date }[]): Promise<void> {
  const values = uses.map(() => '(?, ?::bigint, ?::timestamptz)').join(', ');
  await db
    .em()
    .getConnection()
    .execute(
      `update api_key set usage_count = usage_count + used.count, last_used_at = greatest(last_used_at, used.at)
       from (values ${values}) as used (id, count, at) where api_key.id = used.id`,
      uses.flatMap(({ id, count, lastUsedAt }) => [id, count, lastUsedAt]),
      'run',
    );
}

export function keyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

export function viewKey(key: ApiKey, now: Date): ApiKeyView {
  return {
    keyId: key.id,
    keyPrefix: key.prefix,
    label: key.label,
    scope: key.scope,
    domains: key.domains,
    environment: key.environment,
    credits: key.credits,
    status: keyStatus(key, now),
    usageCount: key.usageCount,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
