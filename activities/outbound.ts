/** All HTTP requests to URLs of clients. A guarded connector checks the address of every connection. */
import { Agent, type Dispatcher, request } from 'undici';
import { type DownloadBounds, type DownloadResult, download } from './download.ts';
import { guardedConnector, type Lookup, describeConnectionError } from '../runtime/guarded-connector.ts';
import { createLookup } from '../runtime/lookup.ts';

/** Bytes of a response that are read before the connection is closed. */
const responseLimit = 64 * 1024;
/** Milliseconds to read a body, so that its connection can be used again. */
const bodyTimeout = 1000;

export interface PostResult {
  /** The HTTP status; null without a response. */
  status: number | null;
  /** The `retry-after` header. */
  retryAfter: string | null;
  /** A short error message without a response; otherwise null. */
  error: string | null;
}

export interface PostBounds {
  /** Milliseconds for the whole request. */
  timeout: number;
  /** Aborts the request. */
  signal?: AbortSignal;
}

export interface Outbound {
  /** Sends one POST. Follows no redirects, and never throws because of the receiver. */
  post(url: string, headers: Record<string, string>, body: string, bounds: PostBounds): Promise<PostResult>;
  /** Downloads an image. Never throws because of the server. */
  get(url: string, bounds: DownloadBounds): Promise<DownloadResult>;
  close(): Promise<void>;
}

/** @param allowedHosts private hosts to which connections are allowed */
export function createOutbound(
  allowedHosts: readonly string[],
  lookup: Lookup = createLookup({ allowedHosts }),
): Outbound {
  const agent = new Agent({ connect: guardedConnector(allowedHosts, lookup), keepAliveTimeout: 10_000, pipelining: 1 });
  return {
    async post(url, headers, body, { timeout, signal: given }) {
      const deadline = AbortSignal.timeout(timeout);
      const signal = given ? AbortSignal.any([deadline, given]) : deadline;
      try {
        const response = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal });
        // Only the status counts, so errors of the body are ignored.
        await response.body
          .dump({ limit: responseLimit, signal: AbortSignal.any([signal, AbortSignal.timeout(bodyTimeout)]) })
          .catch(() => undefined);
        return { status: response.statusCode, retryAfter: retryAfterOf(response), error: null };
      } catch (error) {
        return { status: null, retryAfter: null, error: signal.aborted ? 'timeout' : describeConnectionError(error) };
      }
    },
    get: (url, bounds) => download(agent, allowedHosts, url, bounds),
    close: () => agent.destroy(),
  };
}

function retryAfterOf({ headers }: Dispatcher.ResponseData): string | null {
  const value = headers['retry-after'];
  return typeof value === 'string' ? value : null;
}
