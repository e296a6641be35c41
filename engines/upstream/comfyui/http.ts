/** HTTP with one ComfyUI: no redirect is followed, and no answer is longer than it may be. */
import type { Readable } from 'node:stream';
import { Agent, type FormData, request } from 'undici';
import { ComfyuiError } from './failure.ts';

/** Bytes. The queue holds the workflows of all who wait, with what editors keep beside them. */
const longestAnswer = 64 * 1024 * 1024;

export interface Http {
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** @param body JSON or a form @returns null where nothing was answered */
  post(path: string, body: object, signal: AbortSignal): Promise<unknown>;
  /** @param limit bytes; a longer file is too large an image */
  file(path: string, limit: number, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

export interface HttpOptions {
  baseUrl: string;
  /** Of a proxy before it: `user:password` for Basic, all else is a Bearer token. */
  apiKey: string | undefined;
}

interface Sending {
  method: 'GET' | 'POST';
  signal: AbortSignal;
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** @throws Error when the address or the key is none */
export function createHttp({ baseUrl, apiKey }: HttpOptions): Http {
  const base = addressOf(baseUrl);
  const authorization = apiKey?.trim() ? authorizationOf(apiKey.trim()) : undefined;
  // The caller's signal is the only limit of time.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  async function send(path: string, { headers, ...sending }: Sending) {
    const answer = await request(`${base}${path}`, {
      ...sending,
      headers: { ...headers, ...(authorization && { authorization }) },
      dispatcher: agent,
    });
    const { statusCode: status, headers: given, body } = answer;
    const failed = status < 200 || status > 299;
    // A page is a proxy's: ComfyUI sends none at these paths.
    if (!failed && !/^text\/html/i.test(String(given['content-type']))) return answer;
    abandon(body);
    if (!failed) throw new ComfyuiError('unreadable');
    const headersOf = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    throw new ComfyuiError(undefined, { status, headers: headersOf });
  }

  type Answer = Awaited<ReturnType<typeof send>>;

  async function read({ headers, body }: Answer, limit: number, longer: 'too-long' | 'too-large-an-image') {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (Number(headers['content-length']) > limit) {
      abandon(body);
      throw new ComfyuiError(longer);
    }
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Leaving the loop ends the connection.
      if (bytes > limit) throw new ComfyuiError(longer);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function json(path: string, sending: Sending): Promise<unknown> {
    const text = (await read(await send(path, sending), longestAnswer, 'too-long')).toString();
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
    file: async (path, limit, signal) => read(await send(path, { method: 'GET', signal }), limit, 'too-large-an-image'),
    close: () => agent.destroy(),
  };
}

/** What it would still say, errors among it, is nobody's concern. */
const abandon = (body: Readable) => body.on('error', () => undefined).destroy();

const isForm = (body: object): body is FormData => Symbol.toStringTag in body;

function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The address of a ComfyUI is http(s)://host/path, without credentials or query');
  }
  return url.href.replace(/\/+$/, '');
}

/** A Bearer token has no colon (RFC 6750). */
function authorizationOf(key: string): string {
  if (key.includes(':')) return `Basic ${Buffer.from(key).toString('base64')}`;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('The key of a ComfyUI holds what no header can');
  return `Bearer ${key}`;
}
