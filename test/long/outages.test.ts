/** Temporal or PostgreSQL is killed, comes back, or hangs: requests get a quick 503, nothing is lost, no process of ours dies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { claimPort, type ClaimedPort } from '../../scripts/local/ports.ts';
import { startPostgres } from '../../scripts/local/postgres.ts';
import { temporalCli } from '../../scripts/local/temporal-cli.ts';
import { startTemporal } from '../../scripts/local/temporal.ts';
import { type Backends, startBackends } from '../support/backends.ts';
import { call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { openTemporal } from '../support/temporal.ts';
import { timed } from '../support/timed.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let backends: Backends;
let stack: Stack;
let receiver: Receiver;
let metricsPort: ClaimedPort;
const accepted: string[] = [];

beforeAll(async () => {
  [backends, receiver, metricsPort] = await Promise.all([startBackends(), startReceiver(), claimPort(0)]);
  const { folder, postgres, temporal } = backends;
  stack = await startStack({
    ...{ databaseUrl: postgres.url, temporalAddress: temporal.address, folder },
    // Artworks are in their calls when the outage begins, and end during or after it.
    ...timed({ selena: 2000 }),
    workerEnv: { ATELIER_METRICS_PORT: String(metricsPort.port) },
  });
});
afterAll(async () => {
  await stack.stop();
  metricsPort.release();
  await receiver.close();
  await backends.stop();
});

/** Functions, because a part has another process after it was restarted. */
const parts = { Temporal: () => backends.temporal, PostgreSQL: () => backends.postgres };
type Part = keyof typeof parts;

async function bringBack(part: Part): Promise<void> {
  const { folder, postgres, temporal } = backends;
  if (part === 'PostgreSQL') {
    const { port } = postgres;
    const logFile = join(folder, 'postgres.log');
    Object.assign(postgres, await startPostgres({ dataDir: join(folder, 'postgres'), port, logFile }));
  } else {
    const port = Number(temporal.address.split(':')[1]);
    const dataFile = join(folder, 'temporal.db');
    const logFile = join(folder, 'temporal.log');
    Object.assign(temporal, await startTemporal({ cli: await temporalCli(), dataFile, port, uiPort: null, logFile }));
  }
}

const body = () => ({ prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url });

async function someInFlight(): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: 6 }, () => create(stack, body())));
  accepted.push(...made.map(({ id }) => id));
  return made.map(({ id }) => id);
}

/** Sends several requests at once, so that the outage affects every pooled connection. */
async function expectRefused(part: Part): Promise<void> {
  const url = `${stack.baseUrl}/v2/artworks/selena`;
  for (let round = 0; round < 2; round++) {
    const start = performance.now();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => call(url, { method: 'POST', key: stack.adminKey, body: body() })),
    );
    const took = Math.round(performance.now() - start);
    for (const { status, headers, body: problem } of responses) {
      expect({ status, code: problem['code'] }).toEqual({ status: 503, code: 'unavailable' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    console.info(`${part} is unavailable: 503 after ${took} ms`);
    // At most 3 s on an idle machine.
    expect(took).toBeLessThan(4500);
  }
  const checks = {
    database: part === 'PostgreSQL' ? 'unavailable' : 'ok',
    temporal: part === 'Temporal' ? 'unavailable' : 'ok',
  };
  const health = await call(`${stack.baseUrl}/health`);
  expect(health).toMatchObject({ status: 503, body: { checks } });
  expect((await call(`${stack.baseUrl}/health/ready`)).status).toBe(part === 'Temporal' ? 200 : 503);
  expect((await call(`${stack.baseUrl}/health/ready/creations`)).status).toBe(503);
  const ofWorker = `http://127.0.0.1:${metricsPort.port}/health`;
  expect(await call(`${ofWorker}/ready`)).toMatchObject({
    status: 503,
    body: { checks: { ...checks, workers: 'ok' } },
  });
  expect((await call(`${ofWorker}/live`)).status).toBe(200);
}

async function expectRecovery(ids: string[], since: number): Promise<void> {
  await eventually(async () => expect((await call(`${stack.baseUrl}/health`)).status).toBe(200));
  const ofWorker = `http://127.0.0.1:${metricsPort.port}/health/ready`;
  await eventually(async () => expect((await call(ofWorker)).status).toBe(200));
  await expectNothingLost(stack, receiver, ids, { deliveries: 2 });
  console.info(`recovered, and all ${ids.length} artworks succeeded after ${Date.now() - since} ms`);
  accepted.push((await eventually(() => create(stack, body()))).id);
}

afterEach(async () => {
  // Rejected requests left nothing: every row belongs to a 202, and every running workflow to a row.
  await expectNothingLost(stack, receiver, accepted, { deliveries: 2 });
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from artwork where status <> 'ABANDONED' order by id`);
  await client.end();
  expect(rows.map(({ id }) => id)).toEqual([...accepted].sort());
  const { client: temporal, close } = await openTemporal(stack);
  await eventually(async () => {
    const running: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` }))
      running.push(workflowId);
    expect(running.sort()).toEqual([...accepted].sort());
  });
  await close();
  for (const { pid } of [...stack.apis, ...stack.workers]) process.kill(pid, 0);
});

const workerLog = () => readFileSync(join(stack.dataFolder, 'test-support-instant-worker-ts.log'), 'utf8');

/** @param before the log when the outage began @param began epoch milliseconds */
function expectExplained(before: string, began: number): void {
  const lines = workerLog()
    .slice(before.length)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const sentence = `The PostgreSQL server at 127.0.0.1:${backends.postgres.port} does not respond: check DATABASE_URL and the server.`;
  const explained = lines.filter(({ msg }) => msg === sentence);
  expect(explained.length).toBeGreaterThan(0);
  expect(explained.length).toBeLessThanOrEqual(1 + (Date.now() - began) / 10_000);
  expect(lines.filter(({ code }) => code === 'unavailable').length).toBeGreaterThan(0);
  expect(lines.filter(({ err }) => (err as { stack?: string } | undefined)?.stack)).toEqual([]);
}

test.each(['Temporal', 'PostgreSQL'] as const)('%s is killed and comes back', async (part) => {
  const [logBefore, began] = [workerLog(), Date.now()];
  const ids = await someInFlight();
  process.kill(parts[part]().pid, 'SIGKILL');
  await parts[part]().exited;
  await expectRefused(part);
  // Reading needs the database alone.
  if (part === 'Temporal') expect((await read(stack, ids[0]!)).id).toBe(ids[0]);
  const since = Date.now();
  await bringBack(part);
  await expectRecovery(ids, since);
  if (part === 'PostgreSQL') expectExplained(logBefore, began);
});

test.each(['Temporal', 'PostgreSQL'] as const)('%s hangs for a while', async (part) => {
  const ids = await someInFlight();
  const thaw = freeze(parts[part]().pid);
  try {
    await expectRefused(part);
    if (part === 'Temporal') expect((await read(stack, ids[0]!)).id).toBe(ids[0]);
  } finally {
    thaw();
  }
  await expectRecovery(ids, Date.now());
});
