/** Requests that fetch would mend or refuse to send: paths, headers and bodies go out exactly as given. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  /** Several chunks are sent chunked, unless a content-length is given. */
  body?: Iterable<Uint8Array>;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

export async function raw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const outgoing = request({ hostname, port, method, path, headers, agent: false });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // Once the answer has begun, the server may hang up on what is still being sent.
  outgoing.on('error', () => undefined);
  void pipeline(body ?? [], outgoing).catch(() => undefined);
  const [response] = await answered;
  const content = await text(response);
  outgoing.destroy();
  const isJson = response.headers['content-type']?.includes('json') && content !== '';
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    body: isJson ? (JSON.parse(content) as unknown) : content,
  };
}

/** Sends bytes and reads until the server hangs up, which it may do before it has read them all. */
export function rawBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  return new Promise((resolve) => socket.once('close', () => resolve(answer)));
}
