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
  close(): Promise<void>;
}

/** Milliseconds before a lost connection is opened again. */
const pause = 500;
/** While there is no connection, waits are no longer than this. */
const blind = 200;

export function listenForChanges(databaseUrl: string, name: string): Changes {
  const told = new EventEmitter().setMaxListeners(0);
  const stopping = new AbortController();
  let listening: pg.Client | null = null;
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({ connectionString: databaseUrl, application_name: name, keepAlive: true });
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('end', end);
      client.once('error', () => end());
      const onStop = () => end();
      stopping.signal.addEventListener('abort', onStop);
      client.on('notification', ({ payload }) => payload && told.emit(payload));
      try {
        await client.connect();
        await client.query('listen artwork');
        listening = client;
        await ended;
      } catch {
        // Tried again below, as often as it takes.
      }
      stopping.signal.removeEventListener('abort', onStop);
      listening = null;
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
    async close() {
      stopping.abort();
      await running;
    },
  };
}
