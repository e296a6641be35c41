/** Connects to Temporal for one command. */
import { Client, Connection } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';

/** Milliseconds. */
const connectTimeout = 5000;

export async function withTemporal<T>({ temporal }: Config, work: (client: Client) => Promise<T>): Promise<T> {
  const { address, namespace } = temporal;
  const connection = await Connection.connect({ address, connectTimeout });
  try {
    return await work(new Client({ connection, namespace, identity: `operator-${process.pid}` }));
  } finally {
    await connection.close();
  }
}
