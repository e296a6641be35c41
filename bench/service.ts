/** Measures the service itself, with an engine that takes no time. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import pg from 'pg';
import { connectToTemporal } from '../runtime/temporal.ts';
import { type Backends, serversOf } from './backends.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startStack } from '../test/support/stack.ts';
import { printFigures, printTimes } from './figures.ts';
import { load } from './load.ts';
import { cpuTime, memory } from './processes.ts';

const warmUp = 200;
const atRest = 200;
const underLoad = 1000;
const clients = 40;

export async function benchService(backends: Backends): Promise<void> {
  const receiver = await startReceiver();
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn' },
  });
  const [api, worker] = [stack.apis[0]?.pid ?? 0, stack.workers[0]?.pid ?? 0];
  const temporal = backends.temporal.pid === null ? {} : { Temporal: backends.temporal.pid };
  const processes = { API: api, worker, PostgreSQL: backends.postgres.pid, ...temporal };
  const cpu = () => Object.values(processes).map(cpuTime);
  const database = new pg.Client(stack.databaseUrl);
  await database.connect();
  try {
    await load(stack, receiver, { count: warmUp, atOnce: clients });
    const calm = await load(stack, receiver, { count: atRest, atOnce: 1, pause: 50 });

    const databaseBefore = await databaseSize(database);
    const temporalBefore = await temporalSize(backends);
    const before = cpu();
    const busy = await load(stack, receiver, { count: underLoad, atOnce: clients });
    // Three seconds for pending writes, which belong to the artworks, too.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const used = cpu().map((value, index) => (value - (before[index] ?? 0)) / underLoad);
    const databaseGrowth = ((await databaseSize(database)) - databaseBefore) / underLoad;
    const temporalGrowth = ((await temporalSize(backends)) - temporalBefore) / underLoad;
    const history = await historyOf(backends, calm.ids.at(-1) ?? '');

    printTimes({
      '202, at rest': calm.accept,
      [`202, ${clients} at once`]: busy.accept,
      'accepted → webhook, at rest': calm.webhook,
      [`accepted → webhook, ${clients} at once`]: busy.webhook,
    });
    console.log();
    const total = used.reduce((sum, value) => sum + value, 0);
    const shares = Object.keys(processes).map((name, index) => `${name} ${used[index]?.toFixed(1)}`);
    printFigures({
      'artworks/s': `${((underLoad / busy.all) * 1000).toFixed(1)} (${underLoad} artworks, ${clients} at once)`,
      'CPU per artwork': `${total.toFixed(1)} ms (${shares.join(', ')})`,
      'history until it sleeps': `${history.events} events, ${(history.bytes / 1024).toFixed(1)} KB`,
      'stored per sleeping artwork':
        `${(databaseGrowth / 1024).toFixed(1)} KB in PostgreSQL` +
        (temporalGrowth === 0 ? '' : `, ${(temporalGrowth / 1024).toFixed(1)} KB in Temporal's SQLite`),
      memory: `API ${memory(api).now} MB (peak ${memory(api).peak}), worker ${memory(worker).now} MB (peak ${memory(worker).peak})`,
    });
  } finally {
    await database.end();
    await stack.stop();
    await receiver.close();
  }
}

async function databaseSize(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ size: string }>('select pg_database_size(current_database()) as size');
  return Number(rows[0]?.size);
}

async function temporalSize({ folder }: Backends): Promise<number> {
  const files = ['temporal.db', 'temporal.db-wal'].map((name) => join(folder, name));
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function historyOf({ temporal }: Backends, id: string): Promise<{ events: number; bytes: number }> {
  const connection = connectToTemporal(temporal);
  const { raw } = await new Client({ connection, namespace: temporal.namespace }).workflow.getHandle(id).describe();
  await connection.close();
  const info = raw.workflowExecutionInfo;
  return { events: Number(info?.historyLength), bytes: Number(info?.historySizeBytes) };
}
