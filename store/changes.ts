/** Reports artworks that any process has changed, with PostgreSQL's LISTEN on one connection. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

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

export function listenForChanges(databaseUrl: string, name: string): Changes {
  const statusChanges = new EventEmitter().setMaxListeners(0);
  const watchers = new Set<(artworkId: string | null) => void>();
  const notifyWatchers = (artworkId: string | null) => watchers.forEach((listener) => listener(artworkId));
  const stopping = new AbortController();
  let listening: pg.Client | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString: databaseUrl,
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
        // LISTEN sends no queries, so without this check a dead connection would go unnoticed.
        keepAlive = setInterval(() => void client.query('select 1').catch(end), keepAliveInterval);
        await ended;
      } catch {
        // The loop reconnects until it succeeds.
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
