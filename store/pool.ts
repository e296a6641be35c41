/** Keeps broken connections out of the pool: one that ends or hangs while it is in use is given up at once. */
import type { Pool, PoolClient } from 'pg';

/** pg's words for an answer that did not come within `query_timeout`. */
const late = 'Query read timeout';

/**
 * Without this a transaction whose rollback cannot be sent never gives its connection back, and a connection with an
 * answer outstanding goes to the next user, who waits behind it.
 */
export function giveUpBroken(pool: Pool): void {
  pool.on('connect', hangUpWhenLate);
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => lend(await connect())) as Pool['connect'];
}

/** Takes the connection back when it ends, whether or not its holder manages to release it. */
function lend(client: PoolClient): PoolClient {
  const takeBack = client.release.bind(client);
  let lent = true;
  client.release = (broken) => {
    if (!lent) return;
    lent = false;
    client.off('end', giveUp);
    takeBack(broken);
  };
  const giveUp = () => client.release(true);
  client.once('end', giveUp);
  return client;
}

function hangUpWhenLate(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    const answer = query(...args);
    if (answer instanceof Promise) answer.catch((error: unknown) => isLate(error) && hangUp(client));
    return answer;
  };
  client.query = watched as PoolClient['query'];
}

const isLate = (error: unknown) => error instanceof Error && error.message === late;

/** Makes everything that waits for this connection fail now. Its types keep quiet about the socket. */
function hangUp(client: PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
