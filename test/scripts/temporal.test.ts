/** The local Temporal: what survives a SIGKILL. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { searchAttributes } from '../../schemas/search-attributes.ts';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { temporalCli } from '../../scripts/local/temporal-cli.ts';
import { startTemporal, type Temporal } from '../../scripts/local/temporal.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
const namespace = 'elsewhere';

async function withClient<T>({ address }: Temporal, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}

test('creates namespace and search attributes, and keeps a workflow after a SIGKILL', async () => {
  const cli = await temporalCli();
  const { started: first, ports } = await onFreePorts([27_400, 28_400], '127.0.0.1', (free) => start(cli, free));
  await withClient(first, async ({ workflow, connection }) => {
    await workflow.start('artwork', { workflowId: 'kept', taskQueue: 'nobody' });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.values(searchAttributes)));
  });
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

  const second = await start(cli, ports);
  expect(second.address).toBe(first.address);
  const { status } = await withClient(second, ({ workflow }) => workflow.getHandle('kept').describe());
  expect(status.name).toBe('RUNNING');
  expect((await fetch(String(second.ui))).status).toBe(200);
  await second.stop();
  expect(await second.exited).toEqual({ code: 0, signal: null });
}, 30_000);

function start(cli: string, [port = 0, uiPort = 0]: number[]): Promise<Temporal> {
  const dataFile = join(folder, 'temporal.db');
  return startTemporal({ cli, dataFile, port, uiPort, namespace, logFile: join(folder, 'temporal.log') });
}
