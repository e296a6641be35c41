/** Asks the DNS servers for the addresses of a host name, within a timeout and without a thread. */
import type { LookupAddress, RecordWithTtl } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { codeOf } from './error-code.ts';
import type { Found } from './brief-memory.ts';

/** Milliseconds of a lookup, over all attempts. */
const timeout = 5000;
/** Milliseconds before c-ares sends a query again, or to the next server. */
const timeoutPerAttempt = 1500;
/** Longest time in milliseconds to keep addresses; a shorter TTL of a record applies. */
const keepFound = 30_000;
/** Milliseconds to remember that a name has no address. */
const keepAbsent = 5000;

/** Errors of a name that does not exist or cannot exist. All others, such as a timeout, are failures of the lookup. */
const absent = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * @param servers default: those of the system
 * @throws Error with the code `EAI_AGAIN` when the servers fail or do not respond in time
 */
export async function queryDns(hostname: string, servers?: readonly string[]): Promise<Found> {
  // A new resolver reads the system's settings, which may have changed, and can be canceled without the other lookups.
  const resolver = new Resolver({ timeout: timeoutPerAttempt, maxTimeout: timeoutPerAttempt, tries: 3 });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), timeout);
  try {
    const results = await Promise.allSettled([
      resolver.resolve4(hostname, { ttl: true }).then((records) => withFamily(records, 4)),
      resolver.resolve6(hostname, { ttl: true }).then((records) => withFamily(records, 6)),
    ]);
    const records = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (records.length > 0) {
      const keep = Math.min(keepFound, ...records.map(({ ttl }) => ttl * 1000));
      return { addresses: records.map(({ address, family }) => ({ address, family })), keep };
    }
    const isAbsent = results.every((result) => result.status === 'rejected' && absent.has(codeOf(result.reason)));
    if (!isAbsent) throw Object.assign(new Error('The DNS servers gave no address'), { code: 'EAI_AGAIN' });
    return { addresses: [], keep: keepAbsent };
  } finally {
    clearTimeout(deadline);
  }
}

const withFamily = (records: RecordWithTtl[], family: 4 | 6): (RecordWithTtl & LookupAddress)[] =>
  records.map((record) => ({ ...record, family }));
