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
/** `isDatabaseUnavailable` recognizes the first words. */
const deadlineMessage = 'Connection timeout: the deadline of the request has passed';

/** Returns the error of a wait that the deadline of its request has ended; any other error unchanged. */
export const explainTimeout = (cause: unknown): unknown =>
  isTimeout(cause) ? new Error(deadlineMessage, { cause }) : cause;

/**
 * Prevents two failures: a transaction that cannot send its rollback would never release its connection, and a
 * connection released with a pending query would block its next user until that query ends.
 */
export function removeBrokenConnections(pool: Pool): void {
  pool.on('connect', (client) => {
    closeUnusable(client);
    closeAtDeadline(client);
  });
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => releaseAtEnd(await beforeDeadline(connect))) as Pool['connect'];
}

/** @throws Error at the deadline of the request; a connection that comes later returns to the pool */
async function beforeDeadline(connect: () => Promise<PoolClient>): Promise<PoolClient> {
  // A request whose deadline has passed must not close a connection that other requests need.
  if (timeLeft() === 0) throw new Error(deadlineMessage);
  const connecting = connect();
  try {
    return await within(Infinity, () => connecting);
  } catch (cause) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw explainTimeout(cause);
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
    // A destroyed socket emits `end` a moment later; until then, the pool would hand out its connection.
    release(isBroken ?? client.connection.stream.destroyed);
  };
  const releaseBroken = () => client.release(true);
  client.once('end', releaseBroken);
  return client;
}

/** Closes a connection after a timeout, and one whose server has become a standby: the next may lead to the primary. */
export function closeUnusable(client: PoolClient): void {
  onQuery(client, (send) => {
    const result = send();
    if (result instanceof Promise) result.catch((error: unknown) => isUnusable(error) && closeSocket(client));
    return result;
  });
}

/** Closes a connection whose query has not ended at the deadline of its request. */
function closeAtDeadline(client: PoolClient): void {
  onQuery(client, (send) => {
    const left = timeLeft();
    // The statement must not reach the server: it may be the commit of a request that gets a 503.
    if (left === 0) closeSocket(client);
    const result = send();
    if (result instanceof Promise && left < Infinity) {
      const timer = setTimeout(() => closeSocket(client), left);
      const stop = () => clearTimeout(timer);
      result.then(stop, stop);
    }
    return result;
  });
}

/** Has each query of a connection sent by `watch`. */
function onQuery(client: PoolClient, watch: (send: () => unknown) => unknown): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => watch(() => query(...args))) as PoolClient['query'];
}

const isUnusable = (error: unknown) =>
  error instanceof Error && (error.message === timeoutMessage || codeOf(error) === readOnlyTransaction);

/** Closes the socket, so that everything that waits for this connection fails now. */
export function closeSocket(client: PoolClient | Client): void {
  client.connection.stream.destroy();
}
