/** Notices a PostgreSQL that stops responding while statements without a time limit run. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * Runs the work while the server responds on a connection of its own.
 * @param limit milliseconds after which the server counts as lost
 * @param onLost closes the connections of the work, so that their statements fail
 */
export async function whileResponding<T>(
  options: pg.ClientConfig,
  limit: number,
  onLost: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...options, query_timeout: limit });
  client.on('error', () => undefined);
  await client.connect();
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      await client.query('select 1');
      await sleep(limit / 2, undefined, { signal: done.signal });
    }
  })().catch(() => {
    if (!done.signal.aborted) onLost();
  });
  try {
    return await work();
  } finally {
    done.abort();
    await watching;
    await client.end().catch(() => undefined);
  }
}
