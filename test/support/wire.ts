/** A TCP proxy before PostgreSQL that stops or cuts a connection at an exact point of its conversation. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Point {
  /** Only connections that have sent this before. */
  after?: RegExp;
  statement: RegExp;
  /** What waits: the statement, or the server's answer to it. */
  hold: 'statement' | 'answer';
}

export interface Held {
  /** Resolves when as many connections as are waited for have come to the point. */
  reached: Promise<void>;
  /** Lets it go on, and no other stop there. */
  release(): void;
}

export interface Wire {
  url: string;
  /** @param count connections that are waited for */
  holdAt(point: Point, count?: number): Held;
  /** Cuts the connection that sends the n-th message from now, before it reaches the server or behind it. */
  cutAt(nth: number, when: 'before' | 'behind'): void;
  close(): Promise<void>;
}

interface Watch extends Point {
  count: number;
  reach: () => void;
  connections: Set<() => void>;
}

interface Fuse {
  /** Messages that still pass. */
  left: number;
  when: 'before' | 'behind';
}

/** @param databaseUrl of the server behind it */
export async function startWire(databaseUrl: string): Promise<Wire> {
  const url = new URL(databaseUrl);
  const behind = { host: url.hostname, port: Number(url.port) };
  const watches = new Set<Watch>();
  const fuse: Fuse = { left: Infinity, when: 'before' };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(behind);
    for (const socket of [client, upstream]) sockets.add(socket);
    join(client, upstream, watches, fuse);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    holdAt(point, count = 1) {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const watch: Watch = { ...point, count, reach, connections: new Set() };
      watches.add(watch);
      return {
        reached,
        release() {
          watches.delete(watch);
          for (const resume of watch.connections) resume();
        },
      };
    },
    cutAt: (nth, when) => void Object.assign(fuse, { left: nth - 1, when }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, upstream: Socket, watches: Set<Watch>, fuse: Fuse): void {
  const sent = { text: '' };
  const end = () => [client, upstream].forEach((socket) => socket.destroy());
  const toServer = valve(upstream);
  const toClient = valve(client);
  client.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    if (fuse.left-- === 0) {
      // What the server has got it does, and then finds that nobody is left.
      if (fuse.when === 'behind') {
        client.off('close', end);
        upstream.end(chunk);
      }
      client.destroy();
      return;
    }
    for (const watch of watches) {
      if (!watch.statement.test(text) || (watch.after && !watch.after.test(sent.text))) continue;
      const way = watch.hold === 'statement' ? toServer : toClient;
      way.shut();
      watch.connections.add(way.open);
      if (watch.connections.size >= watch.count) watch.reach();
    }
    sent.text += text;
    toServer.write(chunk);
  });
  upstream.on('data', (chunk: Buffer) => toClient.write(chunk));
  // What is held back does not reach the other side any more.
  for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
}

/** Writes to the socket, or keeps the bytes while it is shut. */
function valve(socket: Socket) {
  let kept: Buffer[] | null = null;
  return {
    write: (chunk: Buffer) => void (kept ? kept.push(chunk) : socket.write(chunk)),
    shut: () => void (kept ??= []),
    open: () => {
      for (const chunk of kept ?? []) socket.write(chunk);
      kept = null;
    },
  };
}
