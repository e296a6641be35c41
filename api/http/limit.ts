/** Limits the requests per minute, and reports the limit on every response as in the IETF's RateLimit draft. */
import type { Request, Response } from 'express';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { ApiKey } from '../../store/entities.ts';
import { limitWindow } from '../../store/limiter.ts';
import { addressOf, networkOf } from './client-address.ts';
import type { Dependencies } from '../dependencies.ts';
import { Problem } from '../../services/problem.ts';

/** Counts a request of a key, as a creation or as another request. @throws Problem `rate_limited` */
export function limitKey(
  deps: Dependencies,
  response: Response,
  { id, rateCreations, rateOthers }: ApiKey,
  { operation }: Pick<Endpoint, 'operation'>,
): Promise<void> {
  const { creations, others } = deps.config.rates;
  return operation === undefined
    ? limit(deps, response, { policy: 'others', id, quota: rateOthers ?? others })
    : limit(deps, response, { policy: 'creations', id, quota: rateCreations ?? creations });
}

/** Counts a request without a valid key. Requests with a valid key do not count here. @throws Problem `rate_limited` */
export function limitAddress(deps: Dependencies, request: Request, response: Response): Promise<void> {
  const id = networkOf(addressOf(request));
  return limit(deps, response, { policy: 'unauthorized', id, quota: deps.config.rates.unauthorized });
}

interface Limit {
  /** The name in the response headers. */
  policy: 'creations' | 'others' | 'unauthorized';
  /** The key or the network whose requests count together. */
  id: string;
  quota: number;
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
async function limit({ limiter }: Dependencies, response: Response, { policy, id, quota }: Limit): Promise<void> {
  const { count, left } = await limiter.increment(`${policy}:${id}`);
  const seconds = Math.max(Math.ceil(left / 1000), 1);
  response.set('RateLimit-Policy', `"${policy}";q=${quota};w=${limitWindow}`);
  response.set('RateLimit', `"${policy}";r=${Math.max(quota - count, 0)};t=${seconds}`);
  if (count > quota) throw new Problem('rate_limited', { headers: { 'Retry-After': String(seconds) } });
}
