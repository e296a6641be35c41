/** Hears of artworks that have changed, from whichever process changed them: PostgreSQL's LISTEN on one connection. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface Changes {
  /**
   * Resolves when the artwork's status changes after this call or the signal aborts, and at the latest after `atMost`
   * milliseconds. A change may be missed while the connection is away, so callers look again in any case.
   */
  next(artworkId: string, atMost: number, signal: AbortSignal): Promise<void>;
  /**
   * Calls back with the id of each artwork whose status or progress changes, or that is removed; with null when the
   * connection is back after it was away, so that anything may have changed.
   */
  watch(listener: (artworkId: string | null) => void): void;
  close(): Promise<void>;
}

/** Milliseconds before a lost connection is opened again. */
const pause = 500;
/** Milliseconds that the database may take for an answer, and between two questions whether it is there. */
const patience = 2000;
const aliveEvery = 10_000;
/** While there is no connection, waits are no longer than this. */
const blind = 200;

/** As the triggers name them: who waits for an end need not hear of the steps to it. */
const statusChannel = 'artwork';
const progressChannel = 'artwork_progress';

export function listenForChanges(databaseUrl: string, name: string): Changes {
  const told = new EventEmitter().setMaxListeners(0);
  const watchers = new Set<(artworkId: string | null) => void>();
  const tellWatchers = (artworkId: string | null) => watchers.forEach((listener) => listener(artworkId));
  const stopping = new AbortController();
  let listening: pg.Client | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: name,
        keepAlive: true,
        connectionTimeoutMillis: patience,
        query_timeout: patience,
      });
      let alive: NodeJS.Timeout | undefined;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('end', end);
      client.once('error', () => end());
      const onStop = () => end();
      stopping.signal.addEventListener('abort', onStop);
      client.on('notification', ({ channel, payload }) => {
        if (!payload) return;
        if (channel === statusChannel) told.emit(payload);
        tellWatchers(payload);
      });
      try {
        await client.connect();
        await client.query(`listen ${statusChannel}; listen ${progressChannel}`);
        listening = client;
        tellWatchers(null);
        // Nothing is sent on it otherwise, so that nobody would notice that the other side is gone.
        alive = setInterval(() => void client.query('select 1').catch(end), aliveEvery);
        await ended;
      } catch {
        // Tried again below, as often as it takes.
      }
      stopping.signal.removeEventListener('abort', onStop);
      listening = null;
      clearInterval(alive);
      await client.end().catch(() => undefined);
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async next(artworkId, atMost, signal) {
      const timeout = AbortSignal.timeout(listening ? atMost : Math.min(atMost, blind));
      const first = AbortSignal.any([timeout, signal, stopping.signal]);
      await once(told, artworkId, { signal: first }).catch(() => undefined);
    },
    watch: (listener) => void watchers.add(listener),
    async close() {
      stopping.abort();
      await running;
    },
  };
}
