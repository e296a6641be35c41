/** A webhook receiver: an HTTP server that records requests and responds as the test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  raw: Buffer;
  /** The parsed body. */
  event: Record<string, unknown> & { id: string; eventId: string; type: string };
  at: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves with everything received for the artwork, once there are `count`. */
  until(id: string, count?: number, timeout?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/**
 * @param respond handles the nth request for an artwork, from 1; by default responds with 200
 * @param host the address that it listens on
 */
export async function startReceiver(
  respond: (response: ServerResponse, nth: number, received: Received) => void = (response) => response.end(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const event = JSON.parse(raw.toString('utf8')) as Received['event'];
      const one = { path: request.url ?? '', headers: request.headers, raw, event, at: Date.now() };
      received.push(one);
      respond(response, received.filter((other) => other.event.id === event.id).length, one);
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook`,
    received,
    until(id, count = 1, timeout = 55_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          const seen = received.filter(({ event }) => event.id === id).length;
          reject(new Error(`${seen} of ${count} deliveries of ${id} came within ${timeout} ms`));
        }, timeout);
        const check = () => {
          const mine = received.filter(({ event }) => event.id === id);
          if (mine.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(mine);
        };
        waiting.add(check);
        check();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
