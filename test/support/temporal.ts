/** A client of the Temporal server of a service. */
import { Client, type Connection } from '@temporalio/client';
import { connectToTemporal } from '../../runtime/temporal.ts';
import { readTemporal } from '../../runtime/temporal-settings.ts';
import type { Service } from './stack.ts';

export interface TemporalClient {
  client: Client;
  connection: Connection;
  close(): Promise<void>;
}

export async function openTemporal({ env }: Pick<Service, 'env'>): Promise<TemporalClient> {
  const temporal = readTemporal(env);
  const { namespace } = temporal;
  const connection = connectToTemporal(temporal);
  await connection.ensureConnected();
  return {
    connection,
    client: new Client({ connection, namespace, identity: 'test' }),
    close: () => connection.close(),
  };
}

/**
 * Returns the ids of a service's workflows that are newer than an id. A count before and after would be wrong, because
 * the server lists a workflow only some time after its start.
 */
export async function startedSince(
  { client }: TemporalClient,
  { taskQueue }: Pick<Service, 'taskQueue'>,
  since: string,
): Promise<string[]> {
  const timeOf = (id: string) => id.slice(id.indexOf('_') + 1);
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = '${taskQueue}'` })) {
    if (timeOf(workflowId) > timeOf(since)) ids.push(workflowId);
  }
  return ids;
}
