/** The names in `rate_limit` under which all keys of an organization are counted. */
import { environments } from '../schemas/access.ts';
import type { LimitName } from '../schemas/limits.ts';
import type { LimitHolder } from './limit-use.ts';

const sharedRates = ['creationsPerMinute', 'requestsPerMinute', 'uploadBytesPerMinute'] as const satisfies LimitName[];
/** A limit per minute of an organization. */
export type SharedRate = (typeof sharedRates)[number];

export const sharedRateName = (rate: SharedRate, { org, environment }: LimitHolder) => `${rate}:${environment}:${org}`;

/** Returns all names of an organization. */
export function sharedRateNames(org: string): string[] {
  return environments.flatMap((environment) => sharedRates.map((rate) => sharedRateName(rate, { org, environment })));
}
