/** Opens connections to addresses of others only if every resolved address is public. Checks each connection, because DNS may change. */
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, errors as undici } from 'undici';
import { hostOf, isAllowedHost, isAllowedPort, isPublicAddress } from '../schemas/addresses.ts';

class AddressNotAllowed extends Error {
  readonly code = 'ERR_ADDRESS_NOT_ALLOWED';
}

interface Cause {
  code?: unknown;
  cause?: Cause;
}

/** Like `dns.lookup` with `all: true`. */
export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupCallback) => void;
type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * Returns a connector that checks the port and a literal address before connecting, the resolved addresses of a host
 * name, and the remote address of the open socket.
 */
export function guardedConnector(allowedHosts: readonly string[], lookup: Lookup): buildConnector.connector {
  const open = buildConnector({ timeout: 10_000, lookup: checkedLookup(lookup, () => true) });
  const guarded = buildConnector({ timeout: 10_000, lookup: checkedLookup(lookup, isPublicAddress) });
  return (options, callback) => {
    const host = hostOf(options);
    if (isAllowedHost(host, allowedHosts)) return open(options, callback);
    const isRefused = !isAllowedPort(options.port) || (isIP(host) !== 0 && !isPublicAddress(host));
    if (isRefused) return void queueMicrotask(() => callback(new AddressNotAllowed(), null));
    guarded(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress && isPublicAddress(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new AddressNotAllowed(), null);
    });
  };
}

/**
 * Returns a lookup that refuses a host name if any of its addresses is not allowed. The connection uses the checked
 * addresses, without a second lookup.
 */
const checkedLookup =
  (lookup: Lookup, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      if (!addresses.every(({ address }) => isAllowed(address))) return callback(new AddressNotAllowed(), []);
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

/** Returns a short error message for clients, which reveals nothing about our network. */
export function describeConnectionError(error: unknown): string {
  for (let cause = error as Cause | undefined; cause; cause = cause.cause) {
    if (cause instanceof AddressNotAllowed) return 'address not allowed';
    if (cause instanceof undici.ConnectTimeoutError) return 'timeout';
    const code = String(cause.code);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name not found';
    if (code === 'ECONNREFUSED') return 'connection refused';
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection closed';
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') return 'no valid response';
    if (/PROTOCOL/.test(code)) return 'no valid response';
    if (/CERT|TLS|SSL|LEAF_SIGNATURE/.test(code)) return 'certificate not accepted';
  }
  return 'no valid response';
}
