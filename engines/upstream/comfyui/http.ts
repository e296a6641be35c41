/** HTTP client for one ComfyUI server. Follows no redirects and limits the size of responses. */
import type { Readable } from 'node:stream';
import { Agent, type FormData, request } from 'undici';
import { findContradiction } from '../../../images/declared-type.ts';
import { withoutTrailingSlashes } from '../../../schemas/addresses.ts';
import { ComfyuiError } from './failures.ts';

/** Bytes. The queue's listing contains the workflows of all waiting jobs with their editor metadata. */
const largestResponse = 64 * 1024 * 1024;

export interface Http {
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** Returns null for an empty response. @param body JSON or a form */
  post(path: string, body: object, signal: AbortSignal): Promise<unknown>;
  /** @param limit bytes; a longer file fails as too large an image */
  file(path: string, limit: number, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

export interface HttpOptions {
  baseUrl: string;
  /** Credentials for a proxy: `user:password` for Basic authentication, otherwise a Bearer token. */
  apiKey: string | undefined;
}

interface RequestOptions {
  method: 'GET' | 'POST';
  signal: AbortSignal;
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** @throws Error when the address or the key is invalid */
export function createHttp({ baseUrl, apiKey }: HttpOptions): Http {
  const base = parseAddress(baseUrl);
  const authorization = apiKey?.trim() ? authorizationOf(apiKey.trim()) : undefined;
  // The caller's signal is the only time limit.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  async function send(path: string, { headers, ...options }: RequestOptions) {
    const response = await request(`${base}${path}`, {
      ...options,
      headers: { ...headers, ...(authorization && { authorization }) },
      dispatcher: agent,
    });
    const { statusCode: status, headers: responseHeaders, body } = response;
    const failed = status < 200 || status > 299;
    // An HTML page comes from a proxy, because ComfyUI sends none at these paths.
    if (!failed && !/^text\/html/i.test(String(responseHeaders['content-type']))) return response;
    discard(body);
    if (!failed) throw new ComfyuiError('unreadable');
    const entries = Object.entries(responseHeaders).map(([name, value]) => [name, String(value)] as const);
    throw new ComfyuiError(undefined, { status, headers: Object.fromEntries(entries) });
  }

  type HttpResponse = Awaited<ReturnType<typeof send>>;

  async function read(
    { headers, body }: HttpResponse,
    limit: number,
    failure: 'response-too-large' | 'image-too-large',
  ) {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (Number(headers['content-length']) > limit) {
      discard(body);
      throw new ComfyuiError(failure);
    }
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Leaving the loop closes the connection.
      if (bytes > limit) throw new ComfyuiError(failure);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function json(path: string, options: RequestOptions): Promise<unknown> {
    const text = (await read(await send(path, options), largestResponse, 'response-too-large')).toString();
    if (text === '') return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new ComfyuiError('unreadable');
    }
  }

  return {
    get: (path, signal) => json(path, { method: 'GET', signal }),
    post(path, body, signal) {
      if (isForm(body)) return json(path, { method: 'POST', body, signal });
      const headers = { 'content-type': 'application/json' };
      return json(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
    },
    async file(path, limit, signal) {
      const response = await send(path, { method: 'GET', signal });
      const bytes = await read(response, limit, 'image-too-large');
      const declared = response.headers['content-type'];
      if (findContradiction(typeof declared === 'string' ? declared : null, bytes))
        throw new ComfyuiError('wrong-type');
      return bytes;
    },
    close: () => agent.destroy(),
  };
}

/** Closes the connection and ignores the rest of the body and its errors. */
const discard = (body: Readable) => body.on('error', () => undefined).destroy();

const isForm = (body: object): body is FormData => Symbol.toStringTag in body;

function parseAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The address of a ComfyUI server must be http(s)://host/path, without credentials or query');
  }
  return withoutTrailingSlashes(url.href);
}

/** A Bearer token has no colon (RFC 6750). */
function authorizationOf(key: string): string {
  if (key.includes(':')) return `Basic ${Buffer.from(key).toString('base64')}`;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Error('The key of a ComfyUI server contains characters that an HTTP header cannot hold');
  return `Bearer ${key}`;
}
