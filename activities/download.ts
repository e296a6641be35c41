/** Fetches a file that a client named: bounded in bytes, time and redirects, each of which is judged anew. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { refuseImageAddress } from '../schemas/image-source.ts';
import { reason } from './guard.ts';

export interface DownloadBounds {
  /** Bytes. */
  limit: number;
  /** Milliseconds for all of it, redirects and another try included. */
  timeout: number;
  signal: AbortSignal;
}

/** The bytes, or a short reason that a client may read. */
export type Downloaded = { bytes: Uint8Array } | { error: string };

const mostRedirects = 3;

/** What may be gone a moment later is tried once more after so many milliseconds. */
const pause = 500;

type Once = Downloaded & { again?: boolean };

export async function download(
  dispatcher: Dispatcher,
  allowedHosts: readonly string[],
  url: string,
  { limit, timeout, signal }: DownloadBounds,
): Promise<Downloaded> {
  const deadline = AbortSignal.timeout(timeout);
  const both = AbortSignal.any([signal, deadline]);
  const once = () =>
    follow({ dispatcher, allowedHosts, limit, signal: both }, url).catch((error: unknown): Once => {
      if (deadline.aborted) return { error: 'timeout' };
      const why = reason(error);
      return { error: why, again: why !== 'address not allowed' };
    });
  const first = await once();
  if (!first.again || both.aborted) return first;
  await delay(pause);
  return once();
}

interface Way {
  dispatcher: Dispatcher;
  allowedHosts: readonly string[];
  limit: number;
  signal: AbortSignal;
}

async function follow(way: Way, address: string): Promise<Once> {
  let url = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    if (refuseImageAddress(url, way.allowedHosts)) return { error: 'address not allowed' };
    const { dispatcher, signal } = way;
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': 'Atelier/2.6' };
    const answer = await request(url, { dispatcher, signal, headers });
    const { statusCode: status } = answer;
    if (status >= 200 && status < 300) return read(answer, way.limit);
    answer.body.on('error', () => undefined).destroy();
    const location = answer.headers['location'];
    const next = status >= 300 && status < 400 && typeof location === 'string' ? URL.parse(location, url) : null;
    if (!next) return { error: `the server answered ${status}`, again: status >= 500 || status === 429 };
    url = next.href;
  }
  return { error: `more than ${mostRedirects} redirects` };
}

async function read({ body, headers }: Dispatcher.ResponseData, limit: number): Promise<Once> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (Number(headers['content-length']) > limit) {
    body.on('error', () => undefined).destroy();
    return { error: 'too large' };
  }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    // Leaving the loop destroys the body and its connection.
    if (bytes > limit) return { error: 'too large' };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}
