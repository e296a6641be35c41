/** The one way out: HTTP to addresses that clients name, guarded at every connection, because DNS may change. */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, errors as undici, request } from 'undici';
import { hostOf, isAllowedHost, isPublicAddress } from '../schemas/addresses.ts';

/** At most this much of an answer is read; the rest is dropped with the connection. */
const answerLimit = 64 * 1024;
/** Milliseconds that a body is read for, so that its connection can be used again. */
const bodyTimeout = 1000;

class AddressRefused extends Error {}

interface Cause {
  code?: unknown;
  cause?: Cause;
}

export interface Posted {
  /** The receiver's HTTP status; null when there was no answer. */
  status: number | null;
  /** Of the answer's headers, lower case. */
  retryAfter: string | null;
  /** A short reason when there was no answer. */
  error: string | null;
}

export interface Outbound {
  /** Posts once, follows nothing, never throws for what the receiver does. @param timeout milliseconds for all of it */
  post(url: string, headers: Record<string, string>, body: string, timeout: number): Promise<Posted>;
  close(): Promise<void>;
}

/** @param allowedHosts private hosts that may be called all the same */
export function createOutbound(allowedHosts: readonly string[]): Outbound {
  const agent = new Agent({ connect: guardedConnector(allowedHosts), keepAliveTimeout: 10_000, pipelining: 1 });
  return {
    async post(url, headers, body, timeout) {
      const signal = AbortSignal.timeout(timeout);
      try {
        const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
        // The receiver has said what counts; a body that breaks off or never ends changes nothing.
        await answer.body
          .dump({ limit: answerLimit, signal: AbortSignal.any([signal, AbortSignal.timeout(bodyTimeout)]) })
          .catch(() => undefined);
        return { status: answer.statusCode, retryAfter: retryAfterOf(answer), error: null };
      } catch (error) {
        return { status: null, retryAfter: null, error: signal.aborted ? 'timeout' : reason(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

function retryAfterOf({ headers }: Dispatcher.ResponseData): string | null {
  const value = headers['retry-after'];
  return typeof value === 'string' ? value : null;
}

/** Judges names by what they resolve to, literal addresses (for which there is no lookup) and the final socket. */
function guardedConnector(allowedHosts: readonly string[]): buildConnector.connector {
  const open = buildConnector({ timeout: 10_000 });
  const guarded = buildConnector({ timeout: 10_000, lookup: guardedLookup });
  return (options, callback) => {
    const host = hostOf(options);
    if (isAllowedHost(host, allowedHosts)) return open(options, callback);
    guarded(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      if (socket.remoteAddress && isPublicAddress(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

/** Refuses a name when any of its addresses is not public, so that a mixture cannot slip through. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new AddressRefused(), []);
    const [first] = addresses;
    if (options.all || !first) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** What clients read on a delivery: short, and nothing of our network. */
function reason(error: unknown): string {
  for (let cause = error as Cause | undefined; cause; cause = cause.cause) {
    if (cause instanceof AddressRefused) return 'address not allowed';
    if (cause instanceof undici.ConnectTimeoutError) return 'timeout';
    const code = String(cause.code);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name not found';
    if (code === 'ECONNREFUSED') return 'connection refused';
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'connection closed';
    if (/CERT|TLS|SSL|ALTNAME/.test(code)) return 'certificate not accepted';
  }
  return 'no valid answer';
}
