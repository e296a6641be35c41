/** Authenticates and authorizes requests. Each request reads its key from the database, so a revocation takes effect at once. */
import type { Request, Response } from 'express';
import type { AuthenticationFailureReason } from '../../runtime/metrics.ts';
import { type Access, scopeReaches } from '../../schemas/access.ts';
import { isInNetworks } from '../../schemas/networks.ts';
import type { ApiKey } from '../../store/entities.ts';
import { keyStatus } from '../../services/key-view.ts';
import type { Dependencies } from '../dependencies.ts';
import { addressOf } from './client-address.ts';
import { limitAddress } from './limit.ts';
import { noteKey } from './request-facts.ts';
import { Problem } from '../../services/problem.ts';

const bearer = /^Bearer +(at[lt]_[0-9A-Za-z]{43})$/i;

/**
 * Returns the key of a request.
 * @throws Problem 401, or `rate_limited` after too many unauthorized requests of the address
 */
export async function authenticate(deps: Dependencies, request: Request, response: Response): Promise<ApiKey> {
  const given = request.get('authorization');
  const apiKey = bearer.exec(given ?? '')?.[1];
  const key = apiKey ? await deps.findKey(apiKey) : null;
  const now = new Date(deps.now());
  if (!key) {
    const reason = apiKey ? 'unknown' : given === undefined ? 'missing' : 'malformed';
    return reject(deps, request, response, { reason, problem: new Problem('invalid_api_key') });
  }
  noteKey(response, key);
  const refusal = refuse(key, addressOf(request), now);
  return refusal ? reject(deps, request, response, refusal) : key;
}

/** Counts a rejected request, for the metric and for the limit of its address. @throws the problem; Problem `rate_limited` */
function reject(deps: Dependencies, request: Request, response: Response, { reason, problem }: Refusal): never {
  deps.metrics.authenticationFailures.inc({ reason });
  limitAddress(deps, request, response);
  throw problem;
}

/** Milliseconds for which an authentication is valid. A request can wait longer for its body or for a slot. */
const lifetime = 1000;

/**
 * Authenticates a request again if more time has passed than `lifetime`, because its key may have been revoked or rolled.
 * @param since when it was authenticated, or later if nothing took time in between, by `performance.now()`
 * @throws as `authenticate`
 */
export async function confirmKey(
  deps: Dependencies,
  request: Request,
  response: Response,
  since: number,
): Promise<void> {
  if (performance.now() - since > lifetime) await authenticate(deps, request, response);
}

/** Why a request is rejected: for the metric, and for the client. */
interface Refusal {
  reason: AuthenticationFailureReason;
  problem: Problem;
}

/** Returns why a key cannot be used; null when it can. */
function refuse(key: ApiKey, address: string, now: Date): Refusal | null {
  const status = keyStatus(key, now);
  if (status !== 'active') {
    return { reason: status, problem: new Problem(status === 'revoked' ? 'key_revoked' : 'key_expired') };
  }
  const { allowedAddresses } = key;
  if (!allowedAddresses || isInNetworks(address, allowedAddresses)) return null;
  const message = `This API key cannot be used from ${address}. Add the address to the key's allowedAddresses.`;
  return { reason: 'address', problem: new Problem('invalid_api_key', { message }) };
}

/** Checks that a key may use an endpoint. @throws Problem 403 */
export function authorize({ metrics }: Pick<Dependencies, 'metrics'>, key: ApiKey, access: Access | 'public'): void {
  const refusal = access === 'public' ? null : forbid(key, access);
  if (!refusal) return;
  metrics.authenticationFailures.inc({ reason: refusal.reason });
  throw refusal.problem;
}

function forbid(key: ApiKey, { scope, domains, environments }: Access): Refusal | null {
  if (!scopeReaches(key.scope, scope)) {
    const message = `This request needs a key with the scope ${scope}.`;
    return { reason: 'scope', problem: new Problem('insufficient_scope', { message }) };
  }
  if (domains && !domains.some((domain) => key.domains.includes(domain))) {
    const message = `This request needs a key with the domain ${domains.join(' or ')}.`;
    return { reason: 'domain', problem: new Problem('insufficient_domain', { message }) };
  }
  if (environments?.includes(key.environment) !== false) return null;
  const message = `This request needs a ${environments.join(' or ')} key.`;
  return { reason: 'environment', problem: new Problem('environment_not_grantable', { message }) };
}
