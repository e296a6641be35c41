/** API keys: only a hash is kept, a lookup is one indexed read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Domain, Environment, Scope } from '../schemas/access.ts';
import { type Author, operator, record } from './audit.ts';
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
    await record(em, author, { org: orgId, action: 'api_key.created', target: row.id, changes: fields, at: now });
  });
  return { row, apiKey };
}

/** The index finds, by a digest that tells nothing of the key by its timing; what it has found is compared in constant time. */
export async function findKeyBySecret(db: Database, apiKey: string): Promise<ApiKey | null> {
  const hash = digest(apiKey);
  const key = await db.em().findOne(ApiKey, { hash });
  return key && timingSafeEqual(key.hash, hash) ? key : null;
}

/** @returns null when the organization has no such key */
export function findKey(db: Database, orgId: string, id: string): Promise<ApiKey | null> {
  return db.em().findOne(ApiKey, { id, org: orgId });
}

/** Those of them that are there, in any order. */
export function findKeys(db: Database, ids: readonly string[]): Promise<ApiKey[]> {
  return db.em().find(ApiKey, { id: { $in: [...ids] } });
}

/** Newest first. @param page all of them when not given; `before`: the id that the page begins after */
export function listKeys(
  db: Database,
  orgId: string,
  page: { limit?: number; before?: string | null } = {},
): Promise<ApiKey[]> {
  const { limit, before = null } = page;
  const where = { org: orgId, ...(before !== null && { id: { $lt: before } }) };
  return db.em().find(ApiKey, where, { orderBy: { id: 'desc' }, ...(limit !== undefined && { limit }) });
}

/** What is undefined stays as it is. */
export interface KeyChanges {
  label?: string | undefined;
  credits?: number | undefined;
  expiresAt?: Date | null | undefined;
  rateCreations?: number | null | undefined;
  rateOthers?: number | null | undefined;
}

/** @returns the key as it is now; null when the organization has no such key, or it is revoked, which is for good */
export function updateKey(
  db: Database,
  { orgId, id }: { orgId: string; id: string },
  asked: KeyChanges,
  now: Date,
  author: Author,
): Promise<ApiKey | null> {
  return db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id, org: orgId });
    if (!key) return null;
    const names = (Object.keys(asked) as (keyof KeyChanges)[]).filter(
      (name) => asked[name] !== undefined && asked[name]?.valueOf() !== key[name]?.valueOf(),
    );
    if (names.length === 0) return key;
    const changed: Partial<Pick<ApiKey, keyof KeyChanges>> = Object.fromEntries(
      names.map((name) => [name, asked[name]]),
    );
    const { credits, ...fields } = changed;
    if (Object.keys(fields).length > 0) await em.nativeUpdate(ApiKey, { id }, fields);
    if (credits !== undefined) await setCredits(em, key, credits);
    const changes = Object.fromEntries(names.map((name) => [name, { from: key[name] ?? null, to: asked[name] }]));
    await record(em, author, { org: orgId, action: 'api_key.updated', target: id, changes, at: now });
    return { ...key, ...changed };
  });
}

/** The one place that sets what is left on a key; its row is locked. */
async function setCredits(em: EntityManager, { id }: ApiKey, credits: number): Promise<void> {
  await em.nativeUpdate(ApiKey, { id }, { credits });
}

/** Revokes once; a second call keeps the first time. */
export async function revokeKey(db: Database, id: string, now: Date, author: Author = operator): Promise<void> {
  await db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id });
    if (!key) return;
    await em.nativeUpdate(ApiKey, { id }, { revokedAt: now });
    await record(em, author, { org: key.org, action: 'api_key.revoked', target: id, changes: {}, at: now });
  });
}

/** The lock keeps what the trail says was there before true; it is one that artworks of the key do not wait for. */
async function lockUnrevoked(em: EntityManager, where: { id: string; org?: string }): Promise<ApiKey | null> {
  await em.execute('select 1 from api_key where id = ? for no key update', [where.id]);
  return em.findOne(ApiKey, { ...where, revokedAt: null });
}
