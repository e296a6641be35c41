/** The one way out: HTTP to addresses that clients name, guarded at every connection, because DNS may change. */
import { Agent, type Dispatcher, request } from 'undici';
import { type DownloadBounds, type Downloaded, download } from './download.ts';
import { guardedConnector, type Lookup, reason } from './guard.ts';

/** At most this much of an answer is read; the rest is dropped with the connection. */
const answerLimit = 64 * 1024;
/** Milliseconds that a body is read for, so that its connection can be used again. */
const bodyTimeout = 1000;

export interface Posted {
  /** The receiver's HTTP status; null when there was no answer. */
  status: number | null;
  /** Of the answer's headers, lower case. */
  retryAfter: string | null;
  /** A short reason when there was no answer. */
  error: string | null;
}

export interface PostBounds {
  /** Milliseconds for all of it. */
  timeout: number;
  /** Gives it up. */
  signal?: AbortSignal;
}

export interface Outbound {
  /** Posts once, follows nothing, never throws for what the receiver does. */
  post(url: string, headers: Record<string, string>, body: string, bounds: PostBounds): Promise<Posted>;
  /** Fetches an image; never throws for what the other side does. */
  get(url: string, bounds: DownloadBounds): Promise<Downloaded>;
  close(): Promise<void>;
}

/** @param allowedHosts private hosts that may be called all the same */
export function createOutbound(allowedHosts: readonly string[], lookup?: Lookup): Outbound {
  const agent = new Agent({ connect: guardedConnector(allowedHosts, lookup), keepAliveTimeout: 10_000, pipelining: 1 });
  return {
    async post(url, headers, body, { timeout, signal: given }) {
      const late = AbortSignal.timeout(timeout);
      const signal = given ? AbortSignal.any([late, given]) : late;
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
    get: (url, bounds) => download(agent, allowedHosts, url, bounds),
    close: () => agent.destroy(),
  };
}

function retryAfterOf({ headers }: Dispatcher.ResponseData): string | null {
  const value = headers['retry-after'];
  return typeof value === 'string' ? value : null;
}
