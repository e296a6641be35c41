/** Downloads a file from a client's URL, with limits on bytes, time and redirects. The address of each redirect is checked. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { version } from '../runtime/version.ts';
import { refuseImageAddress } from '../schemas/image-source.ts';
import { describeConnectionError } from '../runtime/guarded-connector.ts';

export interface DownloadBounds {
  /** Maximum size in bytes. */
  limit: number;
  /** Milliseconds for the whole download, including redirects and the second attempt. */
  timeout: number;
  signal: AbortSignal;
}

export interface Downloaded {
  bytes: Uint8Array;
  /** The `content-type` header. */
  declaredType: string | null;
}

/** The file, or a short error message for the client. */
export type DownloadResult = Downloaded | { error: string };

const maxRedirects = 3;

/** Milliseconds before the second attempt after a transient error. */
const pause = 500;

type AttemptResult = DownloadResult & { isTransient?: boolean };

export async function download(
  dispatcher: Dispatcher,
  allowedHosts: readonly string[],
  url: string,
  { limit, timeout, signal }: DownloadBounds,
): Promise<DownloadResult> {
  const deadline = AbortSignal.timeout(timeout);
  const both = AbortSignal.any([signal, deadline]);
  const attempt = () =>
    follow({ dispatcher, allowedHosts, limit, signal: both }, url).catch((error: unknown): AttemptResult => {
      if (deadline.aborted) return { error: 'timeout' };
      const message = describeConnectionError(error);
      return { error: message, isTransient: message !== 'address not allowed' };
    });
  const first = await attempt();
  if (!first.isTransient || both.aborted) return first;
  await delay(pause);
  return attempt();
}

interface FollowOptions {
  dispatcher: Dispatcher;
  allowedHosts: readonly string[];
  limit: number;
  signal: AbortSignal;
}

async function follow(options: FollowOptions, address: string): Promise<AttemptResult> {
  let url = address;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (refuseImageAddress(url, options.allowedHosts)) return { error: 'address not allowed' };
    const { dispatcher, signal } = options;
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': `Atelier/${version}` };
    const response = await request(url, { dispatcher, signal, headers });
    const { statusCode: status } = response;
    if (status >= 200 && status < 300) return read(response, options);
    response.body.on('error', () => undefined).destroy();
    const location = response.headers['location'];
    const next = status >= 300 && status < 400 && typeof location === 'string' ? URL.parse(location, url) : null;
    if (!next) return { error: `the server responded with ${status}`, isTransient: status >= 500 || status === 429 };
    url = next.href;
  }
  return { error: `more than ${maxRedirects} redirects` };
}

async function read(
  { body, headers }: Dispatcher.ResponseData,
  { limit, signal }: FollowOptions,
): Promise<AttemptResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const declared = Number(headers['content-length']);
  if (declared > limit) {
    body.on('error', () => undefined).destroy();
    return { error: 'too large' };
  }
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Returning from the loop destroys the body and its connection.
      if (bytes > limit) return { error: 'too large' };
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal.aborted || !(bytes < declared)) throw error;
    return { error: `the server sent ${bytes} of ${declared} bytes`, isTransient: true };
  }
  const declaredType = headers['content-type'];
  return { bytes: Buffer.concat(chunks), declaredType: typeof declaredType === 'string' ? declaredType : null };
}
