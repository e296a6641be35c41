/** A worker is killed, stopped, frozen or disconnected from its database in each step of an artwork: nothing is lost or made twice. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { insertArtwork } from '../../store/artworks.ts';
import { newArtwork } from '../support/artworks.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { progress } from '../support/progress.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { storedNames } from '../support/stored-files.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { timed } from '../support/timed.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;
let temporal: TemporalClient;
let accounts: Accounts;
let wire: Wire;
/** How the receiver responds at paths that end with `slow`. */
let respondLate: (response: ServerResponse) => void;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([
    startSharedStack({ workers: 0, ...timed({ selena: 0, hamilton: 2000 }) }),
    startReceiver((response, _nth, { path }) => {
      if (path.endsWith('slow')) respondLate(response);
      else response.end();
    }),
  ]);
  [wire, temporal, accounts] = await Promise.all([
    startWire(stack.env['DATABASE_URL'] ?? ''),
    openTemporal(stack),
    openAccounts(stack),
  ]);
  await startWorker({ DATABASE_URL: wire.url });
});
beforeEach(() => {
  respondLate = (response) => response.end();
});
afterAll(async () => {
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

async function startWorker(env?: NodeJS.ProcessEnv): Promise<void> {
  stack.workers.push(await stack.startWorker(env));
}

function killWorker(): void {
  const worker = stack.workers.pop();
  process.kill(worker!.pid, 'SIGKILL');
}

/** Runs `work` while the worker behind the wire is suspended. */
async function whilePaused<T>(work: () => Promise<T>): Promise<T> {
  const { pid } = stack.workers[0]!;
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Creates artworks at the same time. @param hook end of the receiver's path */
function createAll(count: number, operation = 'selena', hook = ''): Promise<string[]> {
  const body = { prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url + hook };
  return Promise.all(Array.from({ length: count }, async () => (await create(stack, body, operation)).id));
}

/** Holds each artwork at its own point until `release`. */
function holdEach(ids: readonly string[], points: readonly Point[]) {
  const held = points.map((point, index) => wire.holdAt({ ...point, about: ids[index]! }));
  return {
    reached: Promise.all(held.map(({ reached }) => reached)),
    release: () => held.forEach((one) => one.release()),
  };
}

const begins: Point = { statement: /set .*"started_at" = /, hold: 'statement' };
const begun: Point = { ...begins, hold: 'response' };
const keepsResult: Point = { statement: /insert into "call_result"/, hold: 'statement' };
const keptResult: Point = { after: keepsResult.statement, statement: /commit/, hold: 'response' };
const finishes: Point = { statement: /set .*"finished_at" = /, hold: 'statement' };
const finished: Point = { after: finishes.statement, statement: /commit/, hold: 'response' };
/** The first statement of a delivery. */
const delivers: Point = { statement: /from "delivery"/, hold: 'statement' };
const records: Point = { statement: /insert into "delivery"/, hold: 'statement' };
const recorded: Point = { ...records, hold: 'response' };
const purges: Point = { statement: /delete from "artwork"/, hold: 'statement' };

test('PostgreSQL drops every connection in the middle of each step: the step is repeated, and no artwork fails', async () => {
  const points = [begins, begun, keepsResult, keptResult, finishes, finished, delivers, records, recorded];
  const { ids, expired, held } = await whilePaused(async () => {
    const [ids, expired] = await Promise.all([createAll(points.length), startExpired()]);
    return { ids, expired, held: holdEach([...ids, expired], [...points, purges]) };
  });
  await held.reached;
  await accounts.sql.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier-worker' and datname = current_database()`,
  );
  held.release();
  await expectNothingLost(stack, receiver, ids);
  await eventually(async () => {
    expect((await call(`${stack.baseUrl}/v2/artworks/${expired}`, { key: stack.adminKey })).status).toBe(404);
    expect(await findRemains(stack, accounts.sql, expired)).toEqual(nothing);
  });
});

/** Starts an artwork whose retention is over, so that its purge is due. */
async function startExpired(): Promise<string> {
  const { rows } = await accounts.sql.query<{ id: string }>('select id from api_key limit 1');
  const key = rows[0]?.id ?? '';
  const artwork = { ...newArtwork({ org: stack.orgId, key, price: 0 }), expiresAt: new Date() };
  const { id, operation } = artwork;
  await insertArtwork(accounts.db, artwork);
  const input = { id, orgId: stack.orgId, keyId: key, operation, expiresAt: Date.now(), schedule: [0] };
  await temporal.client.workflow.start('artwork', { workflowId: id, taskQueue: stack.taskQueue, args: [input] });
  return id;
}

test('frozen before it stores a result, and resumed after its replacement has finished: nothing changes', async () => {
  const held = wire.holdAt({ statement: /insert into "call_result"|for share/, hold: 'statement' });
  const [id = ''] = await createAll(1);
  await held.reached;
  const { images } = await whilePaused(async () => {
    await startWorker();
    // Temporal hands tasks to the frozen worker, too, and waits for the timeout of each one.
    await expectNothingLost(stack, receiver, [id], { timeout: 120_000 });
    return read(stack, id);
  });
  held.release();
  // Time in which the resumed worker could still change something.
  await delay(1500);
  expect((await read(stack, id)).images).toEqual(images);
  expect((await fetch(images[0]!.url)).status).toBe(200);
  expect(await storedNames(stack, id)).toHaveLength(1);
  expect((await call(`${stack.baseUrl}/health`)).status).toBe(200);
});

test('killed beside another worker during its calls: the other worker takes them over', async () => {
  expect(stack.workers).toHaveLength(2);
  const ids = await createAll(8, 'hamilton');
  await eventually(async () => {
    const states = await Promise.all(ids.map(async (id) => (await read(stack, id)).status));
    expect(states).not.toContain('STARTING');
  });
  const watch = await progress(stack);
  killWorker();
  const first = await watch.first();
  await expectNothingLost(stack, receiver, ids, { deliveries: 2 });
  console.info(`killed beside another worker: first progress after ${first} ms, all ended after ${watch.elapsed()} ms`);
});

test('killed in begin, perform, finish and deliver: its replacement ends every artwork, with one event each', async () => {
  const response = Promise.withResolvers<ServerResponse>();
  respondLate = response.resolve;
  const points = [begins, keepsResult, keptResult, finishes, finished, delivers, recorded];
  const { ids, delivering, held } = await whilePaused(async () => {
    const [ids, [delivering = '']] = await Promise.all([createAll(points.length), createAll(1, 'selena', '/slow')]);
    return { ids, delivering, held: holdEach(ids, points) };
  });
  const [, pending] = await Promise.all([held.reached, response.promise]);
  respondLate = (response) => response.end();
  const watch = await progress(stack);
  killWorker();
  const replaced = startWorker().then(() => watch.elapsed());
  const first = await watch.first();
  await expectNothingLost(stack, receiver, ids);
  // The response to this event was lost with the worker: its receiver gets the same bytes again.
  expect(await receiver.until(delivering, 2)).toHaveLength(2);
  await expectNothingLost(stack, receiver, [delivering], { deliveries: 2 });
  console.info(
    `killed: replaced after ${await replaced} ms, first progress after ${first} ms, all ended after ${watch.elapsed()} ms`,
  );
  // Two to four seconds on an idle machine; a stranded artwork would take much longer.
  expect(first).toBeLessThan(30_000);
  held.release();
  pending.destroy();
});

test('API and worker are stopped in the middle of artworks: both exit in time, and nothing is lost', async () => {
  const [api, worker] = [stack.apis[0]!, stack.workers[0]!];
  const drawn = { prompt: 'a boat on a lake', width: 384, height: 384, webhookUrl: receiver.url };
  // These are drawn by the embedded engine, whose threads the worker must end, too.
  const accepted = (await Promise.all(Array.from({ length: 3 }, () => create(stack, drawn, 'quantum')))).map(
    ({ id }) => id,
  );
  await eventually(async () => {
    const states = await Promise.all(accepted.map(async (id) => (await read(stack, id)).status));
    expect(states).toContain('SUCCEEDED');
  }, 50_000);
  // Requests continue while the API stops: each is either accepted, and then not lost, or refused.
  const client = (async () => {
    for (;;) {
      const made = await createAll(1).catch(() => null);
      if (!made) return;
      accepted.push(...made);
      await delay(20);
    }
  })();
  await delay(100);
  const start = Date.now();
  for (const { pid } of [api, worker]) process.kill(pid, 'SIGTERM');
  const exits = await Promise.all([api.exited, worker.exited]);
  const took = Date.now() - start;
  expect(exits).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
  // Their starter waits this long before it kills them.
  expect(took).toBeLessThan(15_000);
  await client;
  console.info(`stopped after ${took} ms with ${accepted.length} artworks in flight`);
  await Promise.all([stack.startApi(), startWorker()]);
  // A clean stop lets every delivery end: none is repeated.
  await expectNothingLost(stack, receiver, accepted);
});
