/** A proxy in front of the fake of a provider: it misbehaves on demand and records which requests were paid for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { markerIn } from './marker.ts';

/** `lost` passes the request to the provider and resets the connection instead of responding. */
export const troubles = ['busy', 'broken', 'reset', 'lost', 'silence'] as const;
export type Trouble = (typeof troubles)[number];

export interface Submission {
  marker: string;
  /** Epoch milliseconds. */
  at: number;
  /** Epoch milliseconds at which the client had the response; null when the response was lost. */
  respondedAt: number | null;
}

export interface UnreliableUpstream {
  url: string;
  /** The submissions that the provider has accepted and charges for. */
  paid: readonly Submission[];
  /** Sets how all requests are treated; null ends the trouble. */
  misbehave(trouble: Trouble | null): void;
  close(): Promise<void>;
}

interface Options {
  /** The URL of the fake. */
  target: string;
  isSubmission(method: string, path: string): boolean;
  /** Returns the milliseconds that the provider takes for a submission. */
  time(): number;
}

export async function startUnreliableUpstream({ target, isSubmission, time }: Options): Promise<UnreliableUpstream> {
  const paid: Submission[] = [];
  const silent = new Set<ServerResponse>();
  let trouble: Trouble | null = null;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const body = await buffer(request);
    if (trouble === 'busy') return void response.writeHead(429, { 'retry-after': '1' }).end();
    if (trouble === 'broken') return void response.writeHead(500).end();
    if (trouble === 'reset') return void request.socket.resetAndDestroy();
    if (trouble === 'silence') return void silent.add(response);
    const passed = await fetch(new URL(path, target), { method, headers: headersOf(request), ...bodyOf(method, body) });
    const bytes = Buffer.from(await passed.arrayBuffer());
    const marker = markerIn(body.toString('latin1'));
    if (isSubmission(method, path) && passed.ok && marker !== null) {
      const submission: Submission = { marker, at: Date.now(), respondedAt: null };
      paid.push(submission);
      response.on('finish', () => (submission.respondedAt = Date.now()));
      await delay(time());
    }
    if (trouble === 'lost') return void request.socket.resetAndDestroy();
    const type = passed.headers.get('content-type');
    response.writeHead(passed.status, { ...(type && { 'content-type': type }) }).end(bytes);
  }

  const server = createServer((request, response) => {
    // A client may disconnect in the middle of a request.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { pathname } = new URL(target);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    paid,
    misbehave(next) {
      trouble = next;
      for (const response of silent) response.destroy();
      silent.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Headers of the connection to the proxy, not of the request. */
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive'];

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

const bodyOf = (method: string, body: Buffer) =>
  method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) };
