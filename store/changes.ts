/** Reports artworks that any process has changed, with PostgreSQL's LISTEN on one connection. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { postgresOptions } from '../runtime/postgres-url.ts';

export interface Changes {
  /**
   * Resolves when the artwork's status changes after this call, when the signal aborts, and at the latest after `atMost`
   * milliseconds. Changes are missed while the connection is lost, so a caller must read the artwork in any case.
   */
  next(artworkId: string, atMost: number, signal: AbortSignal): Promise<void>;
  /**
   * Calls the listener with the id of each artwork whose status or progress changes or that is deleted, and with null
   * after a reconnect, because any artwork may have changed.
   */
  watch(listener: (artworkId: string | null) => void): void;
  close(): Promise<void>;
}

/** Milliseconds before a reconnect. */
const pause = 500;
/** Milliseconds that connecting or a query may take. */
const queryTimeout = 2000;
/** Milliseconds between two checks of the connection. */
const keepAliveInterval = 10_000;
/** The longest wait in milliseconds while there is no connection. */
const waitWithoutConnection = 200;

/** The channels that the triggers notify. A request that waits for the end of an artwork needs only the first. */
const statusChannel = 'artwork';
const progressChannel = 'artwork_progress';

/** The connection leads through a pooler that may give it to others, which loses notifications. */
export class ListensThroughPooler extends Error {
  override readonly name = 'ListensThroughPooler';
}

/**
 * @param databaseUrl the address of PostgreSQL itself, not of a pooler
 * @param onFailure receives the error when the connection is lost or unusable, once until it works again
 */
export function listenForChanges(databaseUrl: string, name: string, onFailure: (error: unknown) => void): Changes {
  const statusChanges = new EventEmitter().setMaxListeners(0);
  const watchers = new Set<(artworkId: string | null) => void>();
  const notifyWatchers = (artworkId: string | null) => watchers.forEach((listener) => listener(artworkId));
  const stopping = new AbortController();
  let listening: pg.Client | null = null;
  let isReported = false;
  const report = (error: unknown) => {
    if (isReported || stopping.signal.aborted) return;
    isReported = true;
    onFailure(error);
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        ...postgresOptions(databaseUrl),
        application_name: name,
        keepAlive: true,
        connectionTimeoutMillis: queryTimeout,
        query_timeout: queryTimeout,
      });
      let keepAlive: NodeJS.Timeout | undefined;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('end', end);
      client.once('error', () => end());
      const onStop = () => end();
      stopping.signal.addEventListener('abort', onStop);
      client.on('notification', ({ channel, payload }) => {
        if (!payload) return;
        if (channel === statusChannel) statusChanges.emit(payload);
        notifyWatchers(payload);
      });
      try {
        await client.connect();
        await client.query(`listen ${statusChannel}; listen ${progressChannel}`);
        listening = client;
        notifyWatchers(null);
        if (await isPooled(client)) report(new ListensThroughPooler());
        else isReported = false;
        // LISTEN sends no queries, so without this check a dead connection would go unnoticed.
        keepAlive = setInterval(() => void staysPrimary(client).catch(end), keepAliveInterval);
        await ended;
      } catch (error) {
        // The loop reconnects until it succeeds.
        report(error);
      }
      stopping.signal.removeEventListener('abort', onStop);
      listening = null;
      clearInterval(keepAlive);
      await client.end().catch(() => undefined);
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async next(artworkId, atMost, signal) {
      const timeout = AbortSignal.timeout(listening ? atMost : Math.min(atMost, waitWithoutConnection));
      const first = AbortSignal.any([timeout, signal, stopping.signal]);
      await once(statusChanges, artworkId, { signal: first }).catch(() => undefined);
    },
    watch: (listener) => void watchers.add(listener),
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Returns whether a pooler is between us and PostgreSQL: it invents the process id that a connection begins with. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return 'processID' in client && rows[0]?.pid !== client.processID;
}

/** @throws Error if the connection is broken, or if its server has become a standby, which gets no notifications */
async function staysPrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby !== false) throw new Error('The server has become a standby');
}
