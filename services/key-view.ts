/** An API key's status and its view. */
import type { ApiKeyView, KeyStatus } from '../schemas/organization.ts';
import type { ApiKey } from '../store/entities.ts';

/** Returns the status of a key at `now`. */
export function keyStatus(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

/** Returns a key as clients read it, without its secret. */
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
    allowedAddresses: key.allowedAddresses ?? null,
    maxKeyDays: key.maxKeyDays ?? null,
  };
}
