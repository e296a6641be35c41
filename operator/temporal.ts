/** Connects to Temporal for one command. */
import { Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';
import { connectToTemporal } from '../runtime/temporal.ts';

/**
 * Runs `work` with a client, then closes the connection.
 * @throws Error that names the address when Temporal does not respond
 */
export async function withTemporal<T>({ temporal }: Config, work: (client: Client) => Promise<T>): Promise<T> {
  const { address, namespace } = temporal;
  const connection = connectToTemporal(address);
  try {
    return await work(new Client({ connection, namespace, identity: `operator-${process.pid}` }));
  } catch (error) {
    // `workflowService` throws the error of the connection itself; our services throw a Problem with it as `cause`.
    const errors = error instanceof Error ? [error, error.cause] : [];
    if (!errors.some((one) => one instanceof ServiceError || isGrpcServiceError(one))) throw error;
    throw new Error(`The Temporal server at ${address} does not respond. Check TEMPORAL_ADDRESS.`, { cause: error });
  } finally {
    await connection.close();
  }
}
