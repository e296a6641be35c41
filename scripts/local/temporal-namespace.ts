/** Waits for a Temporal's namespace and adds our search attributes to it. */
import type { Connection } from '@temporalio/client';
import { connectToTemporal } from '../../runtime/temporal.ts';
import type { TemporalConnection } from '../../runtime/temporal-settings.ts';
import { addMissingAttributes } from './search-attributes.ts';

/** @throws while the server is not ready */
export async function prepareNamespace(temporal: TemporalConnection): Promise<void> {
  await withConnection(temporal, async (connection) => {
    await describeNamespace(connection, temporal.namespace);
    await addMissingAttributes(connection, temporal.namespace);
  });
}

export async function withConnection<T>(
  temporal: TemporalConnection,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  // By default, gRPC waits a second after the first refusal, which is longer than the server takes to start.
  const reconnect = { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.min_reconnect_backoff_ms': 50 };
  const connection = connectToTemporal(temporal, reconnect);
  try {
    return await connection.withDeadline(Date.now() + 5000, () => use(connection));
  } finally {
    await connection.close();
  }
}

async function describeNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace });
}
