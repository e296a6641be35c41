/** A proxy in front of a real S3 server, which delays, refuses or fails requests as stores do. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { claimPort } from '../../scripts/local/ports.ts';

export type Fault =
  /** Refuses connections. */
  | 'unreachable'
  /** Accepts connections and never responds. */
  | 'silent'
  /** Never responds to deletions. */
  | 'silent-deletions'
  /** 403, as with a wrong policy. */
  | 'forbidden'
  /** 503, as when overloaded. */
  | 'slow-down'
  /** Sends half of a body and then nothing. */
  | 'stalled'
  /** Sends a body so slowly that it never ends, without a pause. */
  | 'trickling';

export interface FaultyStore {
  endpoint: string;
  /** Makes all requests fail; null ends the fault. */
  fail(fault: Fault | null): Promise<void>;
  /** Delays every request. @param milliseconds 0 ends the delay */
  slow(milliseconds: number): void;
  /** Number of requests by method. */
  readonly counts: Record<string, number>;
  close(): Promise<void>;
}

const errors = { forbidden: [403, 'AccessDenied'], 'slow-down': [503, 'SlowDown'] } as const;

async function trickle(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write('x');
    await delay(100);
  }
}

export async function startFaultyStore(origin: string): Promise<FaultyStore> {
  const claim = await claimPort(0);
  const counts: Record<string, number> = {};
  let fault: Fault | null = null;
  let pause = 0;

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url, headers } = incoming;
    counts[method] = (counts[method] ?? 0) + 1;
    if (fault === 'silent' || (fault === 'silent-deletions' && method === 'DELETE')) return;
    if (fault === 'forbidden' || fault === 'slow-down') {
      const [status, code] = errors[fault];
      incoming.resume();
      const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(method === 'HEAD' ? undefined : xml);
      return;
    }
    await delay(pause);
    const outgoing = request(`${origin}${url}`, { method, headers });
    outgoing.once('response', (real) => {
      response.writeHead(real.statusCode ?? 0, real.headers);
      if (fault === 'stalled')
        real.once('data', (chunk: Buffer) => response.write(chunk.subarray(0, chunk.length / 2)));
      else if (fault === 'trickling') void trickle(response);
      else void pipeline(real, response).catch(() => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    await pipeline(incoming, outgoing).catch(() => response.destroy());
  }

  const server = createServer((incoming, response) => void respond(incoming, response));
  const listen = () => new Promise<void>((resolve) => server.listen(claim.port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen();
  return {
    endpoint: `http://127.0.0.1:${claim.port}`,
    async fail(next) {
      fault = next;
      if (next === 'unreachable') await close();
      else if (!server.listening) await listen();
      // Requests that a silent server holds fail now.
      if (next === null) server.closeAllConnections();
    },
    slow: (milliseconds) => void (pause = milliseconds),
    counts,
    async close() {
      if (server.listening) await close();
      claim.release();
    },
  };
}
