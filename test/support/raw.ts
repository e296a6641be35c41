/** Sends requests that fetch would correct or refuse: paths, headers and bodies are sent exactly as given. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  /** Several chunks use the chunked encoding, unless the headers contain a content-length. */
  body?: Iterable<Uint8Array>;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export async function raw(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const outgoing = request({ hostname, port, method, path, headers, agent: false });
  const received = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // Once the response has begun, the server may close the connection while we are still sending.
  outgoing.on('error', () => undefined);
  void pipeline(body ?? [], outgoing).catch(() => undefined);
  const [response] = await received;
  const content = await text(response);
  outgoing.destroy();
  const isJson = response.headers['content-type']?.includes('json') && content !== '';
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    body: isJson ? (JSON.parse(content) as unknown) : content,
  };
}

/** Sends bytes and reads until the server closes the connection, which may happen before it has read all bytes. */
export function rawBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let response = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (response += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  return new Promise((resolve) => socket.once('close', () => resolve(response)));
}
