/** A client of the public API as the documentation advises: it repeats a request at another API until it has a definite response. */
import { setTimeout as delay } from 'node:timers/promises';
import type { System } from './system.ts';

export interface Sent {
  method?: string;
  path: string;
  body?: object;
  idempotencyKey?: string;
  /** Milliseconds after which the first attempt loses its connection. */
  disconnectAfter?: number;
}

export interface Definite {
  status: number;
  body: Record<string, unknown>;
}

type Target = Pick<System, 'service' | 'key'>;

/** Milliseconds after which an attempt is repeated. Synchronous requests take the time of their model. */
const timeout = 20_000;
/** Milliseconds after which the client gives up, which no fault justifies. */
const longest = 120_000;

/**
 * Makes one attempt, as a client without an `Idempotency-Key` should.
 * @returns null when the response is lost, so that the client cannot know whether the request was accepted
 */
export async function sendOnce({ service, key }: Target, sent: Sent): Promise<Definite | null> {
  const { disconnectAfter = timeout } = sent;
  const response = await once(`${service.baseUrls[0]}${sent.path}`, key.apiKey, sent, disconnectAfter);
  return typeof response === 'string' ? null : response;
}

/** @throws Error when no attempt gets a definite response in time */
export async function send(system: Target, sent: Sent): Promise<Definite> {
  const { baseUrls } = system.service;
  const deadline = Date.now() + longest;
  for (let attempt = 0; ; attempt++) {
    const cut = attempt === 0 ? sent.disconnectAfter : undefined;
    const baseUrl = baseUrls[attempt % baseUrls.length] ?? '';
    const last = await once(`${baseUrl}${sent.path}`, system.key.apiKey, sent, cut ?? timeout);
    if (typeof last !== 'string' && last.status < 500 && last.status !== 429) return last;
    if (Date.now() > deadline) {
      const why = typeof last === 'string' ? last : `${last.status} ${JSON.stringify(last.body)}`;
      throw new Error(
        `${sent.method ?? 'GET'} ${sent.path} got no definite response within ${longest / 1000} s: ${why}`,
      );
    }
    await delay(250);
  }
}

/** Returns the response, or the reason for which there is none. */
async function once(url: string, apiKey: string, sent: Sent, limit: number): Promise<Definite | string> {
  const { method = 'GET', body, idempotencyKey } = sent;
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const signal = AbortSignal.timeout(limit);
  try {
    const response = await fetch(url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, body: isJson ? (JSON.parse(text) as Definite['body']) : {} };
  } catch (error) {
    return String(error);
  }
}
