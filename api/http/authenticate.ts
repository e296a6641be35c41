/** Authenticates and authorizes requests. Each request reads its key from the database, so a revocation takes effect at once. */
import type { Request, Response } from 'express';
import { type Access, scopeReaches } from '../../schemas/access.ts';
import { isInNetworks } from '../../schemas/networks.ts';
import type { ErrorCode } from '../../schemas/errors.ts';
import type { ApiKey } from '../../store/entities.ts';
import { keyStatus } from '../../services/key-view.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import type { Dependencies } from '../dependencies.ts';
import { addressOf } from './client-address.ts';
import { limitAddress } from './limit.ts';
import { Problem } from '../../services/problem.ts';

const bearer = /^Bearer +(at[lt]_[0-9A-Za-z]{43})$/i;

/**
 * Returns the key of a request.
 * @throws Problem 401, `address_not_allowed`, or `rate_limited` after too many unauthorized requests of the address
 */
export async function authenticate(deps: Dependencies, request: Request, response: Response): Promise<ApiKey> {
  const now = new Date(deps.now());
  const apiKey = bearer.exec(request.get('authorization') ?? '')?.[1];
  const key = apiKey ? await findKeyBySecret(deps.db, apiKey, now) : null;
  const refusal = refuse(key, addressOf(request), now);
  if (key && !refusal) return key;
  await limitAddress(deps, request, response);
  throw new Problem(refusal ?? 'invalid_api_key');
}

function refuse(key: ApiKey | null, address: string, now: Date): ErrorCode | null {
  if (!key) return 'invalid_api_key';
  const status = keyStatus(key, now);
  if (status !== 'active') return status === 'revoked' ? 'key_revoked' : 'key_expired';
  const { allowedAddresses } = key;
  return allowedAddresses && !isInNetworks(address, allowedAddresses) ? 'address_not_allowed' : null;
}

/** Checks that a key may use an endpoint. @throws Problem 403 */
export function authorize(key: ApiKey, access: Access | 'public'): void {
  if (access === 'public') return;
  if (!scopeReaches(key.scope, access.scope)) {
    throw new Problem('insufficient_scope', { message: `This request needs a key with the scope ${access.scope}.` });
  }
  const { domains, environments } = access;
  if (domains && !domains.some((domain) => key.domains.includes(domain))) {
    throw new Problem('insufficient_domain', {
      message: `This request needs a key with the domain ${domains.join(' or ')}.`,
    });
  }
  if (environments?.includes(key.environment) === false) {
    const message = `This request needs a ${environments.join(' or ')} key.`;
    throw new Problem('environment_not_grantable', { message });
  }
}
