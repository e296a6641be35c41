/** Connects to Temporal for one command. */
import { Client, Connection, isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';

/**
 * Runs `work` with a client, then closes the connection.
 * @throws Error that names the address when Temporal does not respond
 */
export async function withTemporal<T>({ temporal }: Config, work: (client: Client) => Promise<T>): Promise<T> {
  const { address, namespace } = temporal;
  // A lazy connection opens at the first call, so most rejected commands need no Temporal server.
  const connection = Connection.lazy({ address });
  try {
    return await work(new Client({ connection, namespace, identity: `operator-${process.pid}` }));
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ServiceError) && !isGrpcServiceError(cause)) throw error;
    throw new Error(`The Temporal server at ${address} does not respond. Check TEMPORAL_ADDRESS.`, { cause: error });
  } finally {
    await connection.close();
  }
}
