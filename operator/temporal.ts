/** Connects to Temporal for one command. */
import { Client } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';
import { explainTemporalError } from '../runtime/temporal-errors.ts';
import { connectToTemporal, processIdentity } from '../runtime/temporal.ts';

/**
 * Runs `work` with a client, then closes the connection.
 * @throws Error that names the variable to check when Temporal cannot be used
 */
export async function withTemporal<T>({ temporal }: Config, work: (client: Client) => Promise<T>): Promise<T> {
  const { namespace } = temporal;
  const connection = connectToTemporal(temporal);
  try {
    return await work(new Client({ connection, namespace, identity: processIdentity('operator') }));
  } catch (error) {
    // `workflowService` throws the error of the connection itself; our services throw a Problem with it as `cause`.
    const failure = explainTemporalError(error, temporal);
    throw failure === null ? error : new Error(failure.message, { cause: error });
  } finally {
    await connection.close();
  }
}
