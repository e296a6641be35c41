/** A client of the stack's Temporal server. */
import { Client, Connection } from '@temporalio/client';
import type { Stack } from './stack.ts';

export interface TemporalClient {
  client: Client;
  connection: Connection;
  close(): Promise<void>;
}

export async function openTemporal({ env }: Pick<Stack, 'env'>): Promise<TemporalClient> {
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
  return { connection, client: new Client({ connection, identity: 'test' }), close: () => connection.close() };
}
