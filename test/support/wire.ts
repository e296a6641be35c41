/** A TCP proxy in front of PostgreSQL that stops or cuts a connection at an exact point of its conversation. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Point {
  /** Holds only transactions that have sent this before. */
  after?: RegExp;
  statement: RegExp;
  /** Whether to hold back the statement or the server's response to it. */
  hold: 'statement' | 'response';
  /** Holds only statements that contain this id; with `after`, those whose transaction contains it. */
  about?: string;
}

export interface Held {
  /** Resolves when `count` connections have come to the point. */
  reached: Promise<void>;
  /** Releases the held connections and removes the point. */
  release(): void;
}

export interface Wire {
  url: string;
  /** @param count connections that `reached` waits for */
  holdAt(point: Point, count?: number): Held;
  /** Cuts the connection that sends the n-th message from now, before or after the message reaches the server. */
  cutAt(nth: number, when: 'before' | 'after'): void;
  close(): Promise<void>;
}

interface Watch extends Point {
  count: number;
  reach: () => void;
  connections: Set<() => void>;
}

interface Fuse {
  /** Messages that still pass before the cut. */
  left: number;
  when: 'before' | 'after';
}

/** Starts the proxy. @param databaseUrl URL of the database behind it */
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
  let transaction = '';
  const end = () => [client, upstream].forEach((socket) => socket.destroy());
  const toServer = valve(upstream);
  const toClient = valve(client);
  client.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    if (fuse.left-- === 0) {
      // The server executes the message and then finds the connection closed.
      if (fuse.when === 'after') {
        client.off('close', end);
        upstream.end(chunk);
      }
      client.destroy();
      return;
    }
    transaction = begins.test(text) ? text : transaction + text;
    for (const watch of watches) {
      if (!isAt(watch, text, transaction)) continue;
      const way = watch.hold === 'statement' ? toServer : toClient;
      way.shut();
      watch.connections.add(way.open);
      if (watch.connections.size >= watch.count) watch.reach();
    }
    toServer.write(chunk);
  });
  upstream.on('data', (chunk: Buffer) => toClient.write(chunk));
  // A message that is held back when its connection ends never reaches the other side.
  for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
}

/** A simple query, or a statement to prepare, that begins a transaction. */
const begins = /^(Q.{4}|P.{4}\0)begin/s;

function isAt({ statement, after, about }: Point, text: string, transaction: string): boolean {
  if (!statement.test(text) || (after && !after.test(transaction))) return false;
  return about === undefined || (after ? transaction : text).includes(about);
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
