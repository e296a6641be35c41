/** API keys. Only a hash of each key is stored, and a lookup is one indexed read. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { Domain, Environment, Scope } from '../schemas/access.ts';
import { type Author, operator, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { ApiKey, PreviousKey } from './entities.ts';
import { newApiKey, newId } from './ids.ts';
import { requireRoomForKey } from './key-limit.ts';

export interface NewKey {
  orgId: string;
  label: string;
  scope: Scope;
  domains: Domain[];
  environment: Environment;
  credits: number;
  expiresAt: Date | null;
  /** Default: null, all addresses. */
  allowedAddresses?: string[] | null;
  /** Default: null, no limit. */
  maxKeyDays?: number | null;
}

/** The database never receives the full key. The timing of an index lookup by digest reveals nothing about the key. */
export const digest = (apiKey: string) => createHash('sha256').update(apiKey).digest();

/** Returns the characters by which people recognize a key. */
export const prefixOf = (apiKey: string) => apiKey.slice(0, 10);

/**
 * @param limit maximum usable keys of the organization; null: no limit
 * @returns the row and the full key, which is not stored and cannot be read later
 * @throws LimitExceeded
 */
export async function createKey(
  db: Database,
  key: NewKey,
  now: Date,
  author: Author = operator,
  limit: number | null = null,
): Promise<{ row: ApiKey; apiKey: string }> {
  const apiKey = newApiKey(key.environment);
  const { orgId, ...fields } = key;
  const row = {
    allowedAddresses: null,
    maxKeyDays: null,
    ...fields,
    id: newId('key', now.getTime()),
    org: orgId,
    hash: digest(apiKey),
    prefix: prefixOf(apiKey),
    usageCount: 0,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: now,
    rateCreations: null,
    rateOthers: null,
  };
  await db.em().transactional(async (em) => {
    await requireRoomForKey(em, row, limit, now);
    await em.insert(ApiKey, row);
    await recordChange(em, author, { org: orgId, action: 'api_key.created', target: row.id, changes: fields, at: now });
  });
  return { row, apiKey };
}

/** Finds one key by its secret, or by the previous secret of a rolled key. */
export async function findKeyBySecret(db: Database, apiKey: string, now: Date): Promise<ApiKey | null> {
  return (await findKeysBySecret(db, [apiKey], now)).get(apiKey) ?? null;
}

/**
 * Finds keys by their digests, and compares the digests again in constant time. A rolled key is found by its previous
 * digest, too, until its grace period ends.
 * @param apiKeys full keys
 * @returns the keys that exist, by their full key
 */
export async function findKeysBySecret(
  db: Database,
  apiKeys: readonly string[],
  now: Date,
): Promise<Map<string, ApiKey>> {
  const found = new Map<string, ApiKey>();
  const wanted = apiKeys.map((apiKey) => ({ apiKey, hash: digest(apiKey) }));
  const match = <Row extends { hash: Uint8Array }>(rows: readonly Row[]) => {
    const byHash = new Map(rows.map((row) => [hex(row.hash), row]));
    return wanted.flatMap(({ apiKey, hash }) => {
      const row = byHash.get(hex(hash));
      return row && timingSafeEqual(row.hash, hash) ? [{ apiKey, row }] : [];
    });
  };
  const keys = await db.em().find(ApiKey, { hash: { $in: wanted.map(({ hash }) => hash) } });
  for (const { apiKey, row } of match(keys)) found.set(apiKey, row);
  const others = wanted.filter(({ apiKey }) => !found.has(apiKey)).map(({ hash }) => hash);
  if (others.length === 0) return found;
  const previous = match(await db.em().find(PreviousKey, { hash: { $in: others }, expiresAt: { $gt: now } }));
  if (previous.length === 0) return found;
  const rolled = await findKeys(
    db,
    previous.map(({ row }) => row.key),
  );
  const byId = new Map(rolled.map((key) => [key.id, key]));
  for (const { apiKey, row } of previous) {
    const key = byId.get(row.key);
    if (key) found.set(apiKey, key);
  }
  return found;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** @returns null when the organization has no such key */
export function findKey(db: Database, orgId: string, id: string): Promise<ApiKey | null> {
  return db.em().findOne(ApiKey, { id, org: orgId });
}

/** Returns the keys that exist, in any order. */
export function findKeys(db: Database, ids: readonly string[]): Promise<ApiKey[]> {
  return db.em().find(ApiKey, { id: { $in: [...ids] } });
}

export interface KeyPage {
  /** Default: all keys. */
  limit?: number;
  /** The last id of the previous page. */
  before?: string | null;
  /** Returns only keys that are active `now`, were created before `since`, and were not used after it. */
  unused?: { since: Date; now: Date } | null;
}

/** Returns keys, newest first. */
export function listKeys(
  db: Database,
  orgId: string,
  { limit, before = null, unused = null }: KeyPage = {},
): Promise<ApiKey[]> {
  const where: FilterQuery<ApiKey> = {
    org: orgId,
    ...(before !== null && { id: { $lt: before } }),
    ...(unused && {
      revokedAt: null,
      createdAt: { $lt: unused.since },
      $and: [
        { $or: [{ expiresAt: null }, { expiresAt: { $gt: unused.now } }] },
        { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: unused.since } }] },
      ],
    }),
  };
  return db.em().find(ApiKey, where, { orderBy: { id: 'desc' }, ...(limit !== undefined && { limit }) });
}

/** Undefined fields stay unchanged. */
export interface KeyChanges {
  label?: string | undefined;
  credits?: number | undefined;
  expiresAt?: Date | null | undefined;
  rateCreations?: number | null | undefined;
  rateOthers?: number | null | undefined;
  allowedAddresses?: string[] | null | undefined;
  maxKeyDays?: number | null | undefined;
}

/**
 * @param limit maximum usable keys of the organization, for an expired key that becomes usable again; null: no limit
 * @returns the updated key; null when the organization has no such key or the key is revoked
 * @throws LimitExceeded
 */
export function updateKey(
  db: Database,
  { orgId, id }: { orgId: string; id: string },
  requested: KeyChanges,
  now: Date,
  author: Author,
  limit: number | null = null,
): Promise<ApiKey | null> {
  return db.em().transactional(async (em) => {
    const key = await lockUnrevoked(em, { id, org: orgId });
    if (!key) return null;
    const names = (Object.keys(requested) as (keyof KeyChanges)[]).filter(
      (name) => requested[name] !== undefined && !isDeepStrictEqual(requested[name], key[name] ?? null),
    );
    if (names.length === 0) return key;
    const changed: Partial<Pick<ApiKey, keyof KeyChanges>> = Object.fromEntries(
      names.map((name) => [name, requested[name]]),
    );
    if (isExpired(key, now) && !isExpired({ ...key, ...changed }, now)) await requireRoomForKey(em, key, limit, now);
    const { credits, ...fields } = changed;
    if (Object.keys(fields).length > 0) await em.nativeUpdate(ApiKey, { id }, fields);
    if (credits !== undefined) await setCredits(em, key, credits);
    const changes = Object.fromEntries(names.map((name) => [name, { from: key[name] ?? null, to: requested[name] }]));
    await recordChange(em, author, { org: orgId, action: 'api_key.updated', target: id, changes, at: now });
    return { ...key, ...changed };
  });
}

const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date) => expiresAt != null && expiresAt <= now;

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

/**
 * Locks a key, so that the audit entry shows the correct old values.
 * @param lock new artworks of the key wait for `update`, but not for the default
 */
export async function lockUnrevoked(
  em: EntityManager,
  where: { id: string; org?: string },
  lock: 'no key update' | 'update' = 'no key update',
): Promise<ApiKey | null> {
  await em.execute(`select 1 from api_key where id = ? for ${lock}`, [where.id]);
  return em.findOne(ApiKey, { ...where, revokedAt: null });
}
