/** Waits for a Temporal's namespace and adds our search attributes to it. */
import { Connection } from '@temporalio/client';
import { searchAttributes } from '../../schemas/search-attributes.ts';

/** The type Keyword of search attributes in Temporal's API. */
const keyword = 2;
/** The gRPC status ALREADY_EXISTS. */
const alreadyExists = 6;

/** @throws while the server is not ready */
export async function prepareNamespace(address: string, namespace: string): Promise<void> {
  await withConnection(address, async (connection) => {
    await describeNamespace(connection, namespace);
    await addMissingAttributes(connection, namespace);
  });
}

export async function withConnection<T>(address: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  // By default, gRPC waits a second after the first refusal, which is longer than the server takes to start.
  const channelArgs = { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.min_reconnect_backoff_ms': 50 };
  const connection = await Connection.connect({ address, connectTimeout: 3000, channelArgs });
  try {
    return await connection.withDeadline(Date.now() + 5000, () => use(connection));
  } finally {
    await connection.close();
  }
}

export async function describeNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace });
}

export async function addMissingAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter((name) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  const add = Object.fromEntries(missing.map((name) => [name, keyword]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: add });
  } catch (error) {
    if ((error as { code?: number }).code !== alreadyExists) throw error;
  }
}
