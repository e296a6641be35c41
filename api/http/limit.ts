/** Limits the requests per minute of keys, organizations and addresses, and reports the limit on every response as in the IETF's RateLimit draft. */
import type { Request, Response } from 'express';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { ApiKey } from '../../store/entities.ts';
import { limitWindow, type WindowCount } from '../../store/limiter.ts';
import { addressOf, networkOf } from './client-address.ts';
import type { Dependencies } from '../dependencies.ts';
import { countShared } from './shared-rate.ts';
import { Problem } from '../../services/problem.ts';

/**
 * Counts a request of a key, as a creation or as another request, for the key and for its organization.
 * @throws Problem `rate_limited`; LimitExceeded
 */
export async function limitKey(
  deps: Dependencies,
  response: Response,
  key: ApiKey,
  { operation }: Pick<Endpoint, 'operation'>,
): Promise<void> {
  const policy = operation === undefined ? 'others' : 'creations';
  const quota = (policy === 'others' ? key.rateOthers : key.rateCreations) ?? deps.config.rates[policy];
  const name = policy === 'others' ? 'requestsPerMinute' : 'creationsPerMinute';
  const { [name]: allowed } = await deps.limitsOf(key.org);
  // A key that is known to be over its own limit must not use up that of its organization.
  const isOver = (await deps.limiter.known(`${policy}:${key.id}`)) >= quota;
  const shared = isOver ? null : countShared(deps, key, name, allowed);
  // The other count may fail, too, and both must be handled.
  const [own, ofOrganization] = await Promise.allSettled([
    deps.limiter
      .increment(`${policy}:${key.id}`, 1, quota)
      .then((counted) => limit(response, { policy, quota }, counted)),
    shared,
  ]);
  if (own.status === 'rejected') throw own.reason;
  if (ofOrganization.status === 'rejected') throw ofOrganization.reason;
}

/** Counts a request without a valid key, in this process. Requests with a valid key do not count here. @throws Problem `rate_limited` */
export function limitAddress({ addressRates, config }: Dependencies, request: Request, response: Response): void {
  const counted = addressRates.increment(networkOf(addressOf(request)));
  limit(response, { policy: 'unauthorized', quota: config.rates.unauthorized }, counted);
}

interface Limit {
  /** The name in the response headers. */
  policy: 'creations' | 'others' | 'unauthorized';
  quota: number;
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
function limit(response: Response, { policy, quota }: Limit, { count, left }: WindowCount): void {
  const seconds = Math.max(Math.ceil(left / 1000), 1);
  response.set('RateLimit-Policy', `"${policy}";q=${quota};w=${limitWindow}`);
  response.set('RateLimit', `"${policy}";r=${Math.max(quota - count, 0)};t=${seconds}`);
  if (count <= quota) return;
  const name = { creations: 'keyCreations', others: 'keyRequests', unauthorized: 'unauthorized' } as const;
  throw new Problem('rate_limited', { headers: { 'Retry-After': String(seconds) }, limit: name[policy] });
}
