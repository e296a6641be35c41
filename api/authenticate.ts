/** Who is calling, and whether its key reaches the endpoint. Every request reads the key anew: a revocation holds at once. */
import type { Request } from 'express';
import { type Access, scopeReaches } from '../schemas/access.ts';
import type { Database } from '../store/database.ts';
import type { ApiKey } from '../store/entities.ts';
import { findKeyBySecret, keyStatus } from '../store/keys.ts';
import { Problem } from './problem.ts';
import type { Uses } from './uses.ts';

const bearer = /^Bearer +(at[lt]_[0-9A-Za-z]{43})$/i;

/** @throws Problem 401 */
export async function authenticate(db: Database, uses: Uses, request: Request, now: Date): Promise<ApiKey> {
  const apiKey = bearer.exec(request.get('authorization') ?? '')?.[1];
  const key = apiKey ? await findKeyBySecret(db, apiKey) : null;
  if (!key) throw new Problem('invalid_api_key');
  const status = keyStatus(key, now);
  if (status === 'revoked') throw new Problem('key_revoked');
  if (status === 'expired') throw new Problem('key_expired');
  uses.count(key.id, now);
  return key;
}

/** @throws Problem 403 */
export function authorize(key: ApiKey, access: Access): void {
  if (!scopeReaches(key.scope, access.scope)) {
    throw new Problem('insufficient_scope', { message: `This request needs a key with the scope ${access.scope}.` });
  }
  const { domains } = access;
  if (domains && !domains.some((domain) => key.domains.includes(domain))) {
    throw new Problem('insufficient_domain', {
      message: `This request needs a key with the domain ${domains.join(' or ')}.`,
    });
  }
}
