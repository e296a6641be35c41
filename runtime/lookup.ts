/** Looks up the host names of others' URLs, so that a slow DNS server delays only the lookups that need it. */
import { lookup as systemLookup } from 'node:dns/promises';
import { hostOf, isAllowedHost } from '../schemas/addresses.ts';
import { type Found, keepBriefly } from './brief-memory.ts';
import type { Lookup } from './guarded-connector.ts';
import { findInHostsFile } from './hosts-file.ts';
import { queryDns } from './query-dns.ts';

/** Milliseconds to keep what the system found. */
const keepSystem = 5000;

export interface LookupOptions {
  /** Hosts whose names the system resolves. */
  allowedHosts: readonly string[];
  /** DNS servers for all other names. Default: those of the system. */
  servers?: readonly string[];
  hostsFile?: string;
  /** Maximum concurrent queries; further lookups wait. Deliveries of one organization need at most 60. */
  concurrency?: number;
  now?: () => number;
}

/**
 * Returns a function that resolves names without libuv's threads, of which `getaddrinfo` takes two for as long as DNS
 * servers do not respond. Hosts that the operator allowed are the exception: only `getaddrinfo` knows all sources of
 * private names, such as search domains. It takes at most one thread for each of these names.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { allowedHosts, servers, hostsFile = '/etc/hosts', concurrency = 256, now = Date.now } = options;
  const query = limitConcurrency(concurrency, (hostname: string) => queryDns(hostname, servers));
  const find = keepBriefly(async (hostname) => {
    const host = hostOf({ hostname });
    if (isAllowedHost(host, allowedHosts)) return findWithSystem(hostname);
    const addresses = await findInHostsFile(host, hostsFile);
    return addresses.length > 0 ? { addresses, keep: keepSystem } : query(hostname);
  }, now);
  return (hostname, _options, callback) => {
    find(hostname).then(
      ({ addresses }) => (addresses.length > 0 ? callback(null, addresses) : callback(notFound(hostname), [])),
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}

const findWithSystem = async (hostname: string): Promise<Found> => ({
  addresses: await systemLookup(hostname, { all: true }),
  keep: keepSystem,
});

const notFound = (hostname: string) => Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });

/** Runs at most `limit` calls at a time. Further calls wait in order. */
function limitConcurrency<Args, Result>(
  limit: number,
  work: (args: Args) => Promise<Result>,
): (args: Args) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (args) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work(args);
    } finally {
      // The slot passes to the next call, so that no later call takes it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
