/** Guards every connection to an address that a client named: what a name resolves to decides, because DNS may change. */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, errors as undici } from 'undici';
import { hostOf, isAllowedHost, isAllowedPort, isPublicAddress } from '../schemas/addresses.ts';

class AddressRefused extends Error {}

interface Cause {
  code?: unknown;
  cause?: Cause;
}

/** As `dns.lookup`, all addresses at once. */
export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupAnswer) => void;
type LookupAnswer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * Judges ports and literal addresses before anything is sent, names by what they resolve to at this connection, and the
 * socket once it is there.
 */
export function guardedConnector(
  allowedHosts: readonly string[],
  lookup: Lookup = systemLookup,
): buildConnector.connector {
  const open = buildConnector({ timeout: 10_000 });
  const guarded = buildConnector({ timeout: 10_000, lookup: guardedLookup(lookup) });
  return (options, callback) => {
    const host = hostOf(options);
    if (isAllowedHost(host, allowedHosts)) return open(options, callback);
    const isRefused = !isAllowedPort(options.port) || (isIP(host) !== 0 && !isPublicAddress(host));
    if (isRefused) return void queueMicrotask(() => callback(new AddressRefused(), null));
    guarded(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress && isPublicAddress(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

/**
 * Refuses a name when any of its addresses is not public, so that a mixture cannot slip through. What was judged here is
 * what is connected to: a name is asked for once.
 */
const guardedLookup =
  (lookup: Lookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new AddressRefused(), []);
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

/** What clients read of a connection that failed: short, and nothing of our network. */
export function reason(error: unknown): string {
  for (let cause = error as Cause | undefined; cause; cause = cause.cause) {
    if (cause instanceof AddressRefused) return 'address not allowed';
    if (cause instanceof undici.ConnectTimeoutError) return 'timeout';
    const code = String(cause.code);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name not found';
    if (code === 'ECONNREFUSED') return 'connection refused';
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection closed';
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') return 'no valid answer';
    if (/CERT|TLS|SSL|ALTNAME/.test(code)) return 'certificate not accepted';
  }
  return 'no valid answer';
}
