/**
 * Removes broken connections from the pool: a connection that ends or hangs while it is in use is closed at once. Ends
 * every wait at the deadline of the request.
 */
import type { Client, Pool, PoolClient } from 'pg';
import { isTimeout, timeLeft, within } from '../runtime/deadline.ts';
import { codeOf } from '../runtime/error-code.ts';

/** The message of pg's error when a query exceeds `query_timeout`. */
const timeoutMessage = 'Query read timeout';
/** The SQLSTATE of a write on a standby. */
const readOnlyTransaction = '25006';

/**
 * Prevents two failures: a transaction that cannot send its rollback would never release its connection, and a
 * connection released with a pending query would block its next user until that query ends.
 */
export function removeBrokenConnections(pool: Pool): void {
  pool.on('connect', closeUnusable);
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => releaseAtEnd(await beforeDeadline(connect()))) as Pool['connect'];
}

/** @throws Error at the deadline of the request; a connection that comes later returns to the pool */
async function beforeDeadline(connecting: Promise<PoolClient>): Promise<PoolClient> {
  try {
    return await within(Infinity, () => connecting);
  } catch (cause) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw isTimeout(cause) ? new Error('Connection timeout: the deadline of the request has passed', { cause }) : cause;
  }
}

/** Releases the connection once: when its holder does, or when the connection ends. */
function releaseAtEnd(client: PoolClient): PoolClient {
  const release = client.release.bind(client);
  let isReleased = false;
  client.release = (isBroken) => {
    if (isReleased) return;
    isReleased = true;
    client.off('end', releaseBroken);
    // The end of a closed socket comes a moment later. Until then, the pool would give the connection to the next caller.
    release(isBroken ?? client.connection.stream.destroyed);
  };
  const releaseBroken = () => client.release(true);
  client.once('end', releaseBroken);
  return client;
}

/**
 * Closes a connection after a timeout or at the deadline of the request, and one whose server has become a standby: the
 * next may lead to the primary.
 */
export function closeUnusable(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    const left = timeLeft();
    // The statement must not reach the server: it may be the commit of a request that gets a 503.
    if (left === 0) closeSocket(client);
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    const timer = left === Infinity ? undefined : setTimeout(() => closeSocket(client), left);
    result.then(
      () => clearTimeout(timer),
      (error: unknown) => {
        clearTimeout(timer);
        if (isUnusable(error)) closeSocket(client);
      },
    );
    return result;
  };
  client.query = watched as PoolClient['query'];
}

const isUnusable = (error: unknown) =>
  error instanceof Error && (error.message === timeoutMessage || codeOf(error) === readOnlyTransaction);

/** Closes the socket, so that everything that waits for this connection fails now. */
export function closeSocket(client: PoolClient | Client): void {
  client.connection.stream.destroy();
}
