/** A client as the documentation advises: it repeats each request with its Idempotency-Key, at another API, until it is accepted. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Accepted } from '../../schemas/artwork.ts';
import { eventually } from './eventually.ts';
import type { Service } from './stack.ts';

export interface RepeatingClient {
  /** The ids of the accepted artworks. */
  readonly accepted: readonly string[];
  /** The number of requests that were refused, or whose connection was lost. */
  readonly repeated: number;
  /** Resolves when this many more artworks have been accepted. */
  more(count: number): Promise<void>;
  /** Waits for the requests that are under way. @returns the ids of all accepted artworks */
  stop(): Promise<readonly string[]>;
  /** Ends without waiting for any request, after a failed test. */
  abandon(): void;
}

export interface RepeatingClientOptions {
  apiKey: string;
  /** Requests that are under way at the same time. */
  atOnce: number;
  /** Milliseconds between the response to a request and the next one. */
  pause: number;
  /** Sent in turn. */
  requests: readonly { operation: string; body: Readonly<Record<string, unknown>> }[];
}

/** An API that cannot accept a request returns 503, a proxy that reaches no API any of these. */
const unavailable = [502, 503, 504];

/** Milliseconds after which a request is repeated at another API. */
const timeout = 5000;

export function startRepeatingClient(
  { baseUrls }: Pick<Service, 'baseUrls'>,
  { apiKey, atOnce, pause, requests }: RepeatingClientOptions,
): RepeatingClient {
  const accepted: string[] = [];
  let repeated = 0;
  let [created, sent] = [0, 0];
  let stopping = false;
  const abandoned = new AbortController();

  const send = async (key: string, operation: string, body: string) => {
    const baseUrl = baseUrls[sent++ % baseUrls.length];
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key };
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), abandoned.signal]);
    const options = { method: 'POST', headers, body, signal };
    const response = await fetch(`${baseUrl}/v2/artworks/${operation}`, options);
    if (response.status === 202) return ((await response.json()) as Accepted).id;
    if (unavailable.includes(response.status)) return null;
    throw new UnexpectedResponse(`${response.status} ${await response.text()}`);
  };
  const createOne = async () => {
    const key = randomUUID();
    const { operation = '', body } = requests[created++ % requests.length] ?? {};
    const text = JSON.stringify(body);
    for (;;) {
      const id = await send(key, operation, text).catch((error: unknown) => {
        if (error instanceof UnexpectedResponse) throw error;
        return null;
      });
      if (id !== null) return void accepted.push(id);
      if (abandoned.signal.aborted) return;
      repeated += 1;
      await delay(200);
    }
  };
  const run = async () => {
    while (!stopping) {
      await createOne();
      await delay(pause);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, run));
  return {
    accepted,
    get repeated() {
      return repeated;
    },
    async more(count) {
      const goal = accepted.length + count;
      const enough = eventually(() => {
        if (accepted.length < goal) throw new Error(`${goal - accepted.length} of ${count} artworks were not accepted`);
      }, 60_000);
      await Promise.race([enough, running]);
    },
    async stop() {
      stopping = true;
      await running;
      return accepted;
    },
    abandon() {
      stopping = true;
      abandoned.abort();
    },
  };
}

/** A response that no outage explains. */
class UnexpectedResponse extends Error {}
