/** API keys. Only a hash of each key is stored, and a lookup is one indexed read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Domain, Environment, Scope } from '../schemas/access.ts';
import { type Author, operator, recordChange } from './audit.ts';
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

/** The database never receives the full key. The timing of an index lookup by digest reveals nothing about the key. */
const digest = (apiKey: string) => createHash('sha256').update(apiKey).digest();

/** @returns the row and the full key, which is not stored and cannot be read later */
export async function createKey(
  db: Database,
  key: NewKey,
  now: Date,
  author: Author = operator,
): Promise<{ row: ApiKey; apiKey: string }> {
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
    rateCreations: null,
    rateOthers: null,
  };
  await db.em().transactional(async (em) => {
    await em.insert(ApiKey, row);
    await recordChange(em, author, { org: orgId, action: 'api_key.created', target: row.id, changes: fields, at: now });
  });
  return { row, apiKey };
}

/** Finds a key by its digest, and compares the digest again in constant time. */
export async function findKeyBySecret(db: Database, apiKey: string): Promise<ApiKey | null> {
  const hash = digest(apiKey);
  const key = await db.em().findOne(ApiKey, { hash });
  return key && timingSafeEqual(key.hash, hash) ? key : null;
}

/** @returns null when the organization has no such key */
export function findKey(db: Database, orgId: string, id: string): Promise<ApiKey | null> {
  return db.em().findOne(ApiKey, { id, org: orgId });
}

/** Returns the keys that exist, in any order. */
export function findKeys(db: Database, ids: readonly string[]): Promise<ApiKey[]> {
  return db.em().find(ApiKey, { id: { $in: [...ids] } });
}

/** Returns keys, newest first. @param page default: all keys; `before`: the last id of the previous page */
export function listKeys(
  db: Database,
  orgId: string,
  page: { limit?: number; before?: string | null } = {},
): Promise<ApiKey[]> {
  const { limit, before = null } = page;
  const where = { org: orgId, ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(ApiKey, where, { orderBy: { id: 'desc' }, ...(limit !== undefined && { limit }) });
}

/** Undefined fields stay unchanged. */
export interface KeyChanges {
  label?: string | undefined;
  credits?: number | undefined;
  expiresAt?: Date | null | undefined;
  rateCreations?: number | null | undefined;
  rateOthers?: number | null | undefined;
}

/** @returns the updated key; null when the organization has no such key or the key is revoked */
export function updateKey(
  db: Database,
  { orgId, id }: { orgId: string; id: string },
  requested: KeyChanges,
  now: Date,
  author: Author,
): Promise<ApiKey | null> {
  return db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id, org: orgId });
    if (!key) return null;
    const names = (Object.keys(requested) as (keyof KeyChanges)[]).filter(
      (name) => requested[name] !== undefined && requested[name]?.valueOf() !== key[name]?.valueOf(),
    );
    if (names.length === 0) return key;
    const changed: Partial<Pick<ApiKey, keyof KeyChanges>> = Object.fromEntries(
      names.map((name) => [name, requested[name]]),
    );
    const { credits, ...fields } = changed;
    if (Object.keys(fields).length > 0) await em.nativeUpdate(ApiKey, { id }, fields);
    if (credits !== undefined) await setCredits(em, key, credits);
    const changes = Object.fromEntries(names.map((name) => [name, { from: key[name] ?? null, to: requested[name] }]));
    await recordChange(em, author, { org: orgId, action: 'api_key.updated', target: id, changes, at: now });
    return { ...key, ...changed };
  });
}

/** Sets the balance of a key, whose row the caller has locked. */
async function setCredits(em: EntityManager, { id }: ApiKey, credits: number): Promise<void> {
  await em.nativeUpdate(ApiKey, { id }, { credits });
}

/** Revokes a key. A second call does not change the time of the first. */
export async function revokeKey(db: Database, id: string, now: Date, author: Author = operator): Promise<void> {
  await db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id });
    if (!key) return;
    await em.nativeUpdate(ApiKey, { id }, { revokedAt: now });
    await recordChange(em, author, { org: key.org, action: 'api_key.revoked', target: id, changes: {}, at: now });
  });
}

/** Locks a key, so that the audit entry shows the correct old values. New artworks of the key do not wait for this lock. */
async function lockUnrevoked(em: EntityManager, where: { id: string; org?: string }): Promise<ApiKey | null> {
  await em.execute('select 1 from api_key where id = ? for no key update', [where.id]);
  return em.findOne(ApiKey, { ...where, revokedAt: null });
}
