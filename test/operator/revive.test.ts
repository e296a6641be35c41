/** `operator artworks stuck`, `revive` and `workflow`, and `operator workers`: artworks whose workflow is gone continue. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { sendPhoto } from '../support/uploads.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

jest.setTimeout(120_000);

let stack: Stack;
let fal: UpstreamFake;
let receiver: Receiver;
/** Fails the first delivery of each event. */
let failing: Receiver;
let sql: pg.Client;
let temporal: TemporalClient;

beforeAll(async () => {
  [fal, receiver, failing] = await Promise.all([
    startFal({ apiKey }),
    startReceiver(),
    startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end()),
  ]);
  const env = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
  stack = await startSharedStack({ env: { ...env, ATELIER_WEBHOOK_SCHEDULE: '0s,4s,1h' } });
  sql = new pg.Client(stack.databaseUrl);
  [temporal] = await Promise.all([openTemporal(stack), sql.connect()]);
});
afterEach(() => fal.release());
afterAll(async () => {
  await Promise.all([sql.end(), temporal.close()]);
  await stack.stop();
  await Promise.all([fal.close(), receiver.close(), failing.close()]);
});

const small = { prompt: 'a very secret zebra', width: 256, height: 256 };
const make = async (fields: object = {}) => (await create(stack, { ...small, webhookUrl: receiver.url, ...fields })).id;
const terminate = (id: string) => temporal.client.workflow.getHandle(id).terminate('an operator was careless');
const age = (id: string) =>
  sql.query(`update artwork set created_at = now() - interval '5 minutes' where id = $1`, [id]);

async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await operator(stack.env, ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function stuck(): Promise<{ code: number; rows: { id: string; why: string }[] }> {
  const { code, stdout } = await operator(stack.env, 'artworks', 'stuck', '--json');
  return { code, rows: JSON.parse(stdout) as { id: string; why: string }[] };
}

async function waitingAtProvider(fields: object = {}): Promise<string> {
  const before = fal.counts.submissions;
  fal.hold();
  const id = await make(fields);
  await eventually(() => Promise.resolve(expect(fal.counts.submissions).toBe(before + 1)));
  await eventually(async () => expect((await json<{ jobs: object[] }>('artworks', 'show', id)).jobs).toHaveLength(1));
  return id;
}

test('lists an artwork whose workflow was terminated as stuck; revive completes its paid job', async () => {
  const id = await waitingAtProvider();
  await age(id);
  expect(await eventually(stuck)).toEqual({ code: 0, rows: [] });
  await terminate(id);
  const found = await eventually(async () => {
    const one = await stuck();
    expect(one).toEqual({ code: 1, rows: [{ id, why: 'workflow_gone' }] });
    return one;
  });
  expect(found.rows).toHaveLength(1);
  const { submissions } = fal.counts;

  expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'revived' }]);
  expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'running' }]);
  fal.release();
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  await receiver.until(id);
  expect(fal.counts.submissions).toBe(submissions);
  expect(await stuck()).toEqual({ code: 0, rows: [] });
});

test('lists an ended artwork whose event nothing will deliver; revive --stuck delivers it, and leaves the others alone', async () => {
  const [lost, healthy, delivered] = await Promise.all([
    make({ webhookUrl: failing.url }),
    make({ webhookUrl: failing.url }),
    make(),
  ]);
  await Promise.all([failing.until(lost), failing.until(healthy), receiver.until(delivered)]);
  await eventually(async () => {
    const due = await sql.query('select artwork_id from due_delivery order by artwork_id');
    expect(due.rows.map(({ artwork_id: id }: { artwork_id: string }) => id)).toEqual([lost, healthy].sort());
  });
  await Promise.all([terminate(lost), terminate(delivered)]);
  await sql.query(`update due_delivery set due_at = now() - interval '3 minutes'`);
  await eventually(async () => expect(await stuck()).toEqual({ code: 1, rows: [{ id: lost, why: 'undelivered' }] }));

  expect(await json('artworks', 'revive', '--stuck')).toEqual({ revived: 1, running: 0, purged: 0, failed: 0 });
  const [first, second] = await failing.until(lost, 2);
  expect(second!.raw).toEqual(first!.raw);
  await failing.until(healthy, 2);
  await eventually(async () => expect((await sql.query('select from due_delivery')).rowCount).toBe(0));
  expect(await stuck()).toEqual({ code: 0, rows: [] });
  expect(await json('artworks', 'revive', '--stuck')).toEqual({ revived: 0, running: 0, purged: 0, failed: 0 });
  expect(await json('artworks', 'revive', delivered)).toEqual([{ id: delivered, outcome: 'revived' }]);
});

test('a revived artwork continues its schedule of deliveries, and sends no delivered event again', async () => {
  const [delivered, pending] = await Promise.all([make(), make({ webhookUrl: failing.url })]);
  await Promise.all([receiver.until(delivered), failing.until(pending)]);
  const deliveries = async (id: string) =>
    (await json<{ deliveries: { status: number }[] }>('artworks', 'show', id)).deliveries.map(({ status }) => status);
  await eventually(async () =>
    expect([await deliveries(delivered), await deliveries(pending)]).toEqual([[200], [500]]),
  );
  await Promise.all([terminate(delivered), terminate(pending)]);

  expect(await json('artworks', 'revive', delivered, pending)).toEqual([
    { id: delivered, outcome: 'revived' },
    { id: pending, outcome: 'revived' },
  ]);
  const [first, second] = await failing.until(pending, 2);
  expect(second!.raw).toEqual(first!.raw);
  await eventually(async () => expect(await deliveries(pending)).toEqual([500, 200]));
  expect(await deliveries(delivered)).toEqual([200]);
  expect(receiver.received.filter(({ event }) => event.id === delivered)).toHaveLength(1);
  // The client can still request redeliveries, also after another revival.
  await json('artworks', 'redeliver', delivered);
  await eventually(async () => expect(await deliveries(delivered)).toEqual([200, 200]));
  await terminate(delivered);
  expect(await json('artworks', 'revive', delivered)).toEqual([{ id: delivered, outcome: 'revived' }]);
  await json('artworks', 'redeliver', delivered);
  const events = await receiver.until(delivered, 3);
  expect(new Set(events.map(({ raw }) => raw.toString())).size).toBe(1);
  await eventually(async () => expect(await deliveries(delivered)).toEqual([200, 200, 200]));
});

test('revives an artwork that its workflow has ended but whose row is older, as after a restore', async () => {
  const id = await waitingAtProvider();
  const { rows } = await sql.query<{ plan: object }>('select plan from artwork where id = $1', [id]);
  fal.release();
  await receiver.until(id);
  await eventually(async () => expect(await statusInTemporal(id)).toBe('SUCCEEDED'));
  await makeUnfinished(id, rows[0]!.plan);
  await age(id);
  await eventually(async () => expect((await stuck()).rows).toEqual([{ id, why: 'workflow_gone' }]));
  const { submissions } = fal.counts;
  expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'revived' }]);
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  await receiver.until(id, 2);
  expect(fal.counts.submissions).toBe(submissions);
});

/** Makes the row what it was before the artwork ended. */
async function makeUnfinished(id: string, plan: object): Promise<void> {
  await sql.query('delete from delivery where artwork_id = $1', [id]);
  await sql.query(
    `update artwork
     set status = 'PROCESSING', plan = $2, finished_at = null, event_id = null, event_body = null
     where id = $1`,
    [id, JSON.stringify(plan)],
  );
}

async function statusInTemporal(id: string): Promise<unknown> {
  const { raw } = await temporal.client.workflow.getHandle(id).describe();
  const field = raw.workflowExecutionInfo?.searchAttributes?.indexedFields?.['AtelierStatus'];
  return JSON.parse(Buffer.from(field?.data ?? '').toString());
}

test('revive --all revives artworks and uploads, purges what has expired, and leaves the others alone', async () => {
  const { running: others } = await json<{ running: number }>('artworks', 'revive', '--all');
  const upload = await uploadPhoto();
  const running = await waitingAtProvider();
  const [kept, expired] = [await waitingAtProvider(), await waitingAtProvider()];
  await Promise.all([terminate(upload), terminate(kept), terminate(expired)]);
  await sql.query(`update artwork set expires_at = now() - interval '11 minutes' where id = $1`, [expired]);
  await eventually(async () => expect((await stuck()).rows).toContainEqual({ id: expired, why: 'overdue' }));

  const { code, stdout } = await operatorProcess(stack.env, 'artworks', 'revive', '--all', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, { revived: 2, running: others + 1, purged: 1, failed: 0 }]);
  expect(await findRemains(stack, sql, expired)).toEqual(nothing);
  expect(await stuck()).toEqual({ code: 0, rows: [] });
  fal.release();
  for (const id of [running, kept]) expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  const purge = await temporal.client.workflow.getHandle(upload).describe();
  expect([purge.type, purge.status.name]).toEqual(['purgeFile', 'RUNNING']);
  expect(await json('artworks', 'revive', '--all')).toEqual({ revived: 0, running: others + 3, purged: 0, failed: 0 });

  await terminate(upload);
  await sql.query(`update uploaded_file set expires_at = now() where id = $1`, [upload]);
  expect(await json('artworks', 'revive', '--all')).toEqual({ revived: 0, running: others + 2, purged: 1, failed: 0 });
  expect(await findRemains(stack, sql, upload)).toEqual(nothing);
});

async function uploadPhoto(): Promise<string> {
  return ((await (await sendPhoto(stack.baseUrl, stack.adminKey)).json()) as { id: string }).id;
}

test('revives an artwork that was canceled after the backup as canceled', async () => {
  const id = await waitingAtProvider();
  const { rows } = await sql.query<{ plan: object }>('select plan from artwork where id = $1', [id]);
  await json('artworks', 'cancel', id);
  await receiver.until(id);
  await eventually(async () => expect(await statusInTemporal(id)).toBe('CANCELED'));
  await makeUnfinished(id, rows[0]!.plan);
  const { submissions } = fal.counts;
  expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'revived' }]);
  expect((await ended(stack, id)).status).toBe('CANCELED');
  expect((await receiver.until(id, 2))[1]!.event.type).toBe('artwork.canceled');
  expect(fal.counts.submissions).toBe(submissions);
});

test('--restart-unfinished starts the workflow of an unfinished artwork again although it runs', async () => {
  const id = await waitingAtProvider();
  const runOf = async () => (await temporal.client.workflow.getHandle(id).describe()).runId;
  const [before, { submissions }] = [await runOf(), fal.counts];
  expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'running' }]);
  expect(await runOf()).toBe(before);
  expect(await json('artworks', 'revive', id, '--restart-unfinished')).toEqual([{ id, outcome: 'revived' }]);
  expect(await runOf()).not.toBe(before);
  fal.release();
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  expect(fal.counts.submissions).toBe(submissions);
});

test('purges an artwork that was deleted after the backup', async () => {
  const id = await make();
  await receiver.until(id);
  await sql.query('create temporary table kept as select * from artwork where id = $1', [id]);
  expect((await call(`${stack.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: stack.adminKey })).status).toBe(
    204,
  );
  await eventually(async () => expect(await findRemains(stack, sql, id)).toEqual(nothing));
  await sql.query('insert into artwork select * from kept');
  await sql.query('drop table kept');
  await eventually(async () => expect(await json('artworks', 'revive', id)).toEqual([{ id, outcome: 'purged' }]));
  expect(await findRemains(stack, sql, id)).toEqual(nothing);
});

test('purges a synchronous request and a tombstone that have no workflow', async () => {
  const tombstone = await make();
  await receiver.until(tombstone);
  await terminate(tombstone);
  const ans = tombstone.replace('art_', 'ans_');
  await sql.query('create temporary table kept as select * from artwork where id = $1', [tombstone]);
  await sql.query('update kept set id = $1', [ans]);
  await sql.query('insert into artwork select * from kept');
  await sql.query('drop table kept');
  expect(await json('artworks', 'revive', ans)).toEqual([{ id: ans, outcome: 'purged' }]);
  expect(await findRemains(stack, sql, ans)).toEqual(nothing);
  await sql.query(`update artwork set status = 'ABANDONED' where id = $1`, [tombstone]);
  expect(await json('artworks', 'revive', tombstone)).toEqual([{ id: tombstone, outcome: 'revived' }]);
  await eventually(async () => expect(await findRemains(stack, sql, tombstone)).toEqual(nothing), 60_000);
});

test('revive --all counts a purge that fails, and continues', async () => {
  const [expired, kept] = await Promise.all([make(), make()]);
  await Promise.all([receiver.until(expired), receiver.until(kept)]);
  await Promise.all([terminate(expired), terminate(kept)]);
  await sql.query(`update artwork set expires_at = now() where id = $1`, [expired]);
  const noStore = {
    ...{ ATELIER_FILES: 's3://none', AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1', AWS_REGION: 'none' },
    ...{ AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  };
  const { code, stdout, stderr } = await operatorProcess(
    { ...stack.env, ...noStore },
    'artworks',
    'revive',
    '--all',
    '--json',
  );
  expect([code, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ revived: 1, purged: 0, failed: 1 })]);
  expect(stderr).toContain(expired);
  expect(await json('artworks', 'revive', '--all')).toMatchObject({ revived: 0, purged: 1, failed: 0 });
});

test('revive requires ids, --stuck or --all', async () => {
  for (const args of [[], ['art_none', '--all'], ['art_none', '--stuck'], ['--all', '--stuck']]) {
    const { code, stderr } = await operator(stack.env, 'artworks', 'revive', ...args);
    expect([code, stderr]).toEqual([1, 'Use exactly one of these: ids of artworks, --stuck or --all.\n']);
  }
  const { code, stdout } = await operator(stack.env, 'artworks', 'revive', 'art_none', '--json');
  const outcome = 'failed: There is no such artwork.';
  expect([code, JSON.parse(stdout)]).toEqual([1, [{ id: 'art_none', outcome }]]);
});

test('workflow shows what an artwork waits for and its history, without any text of the client', async () => {
  const id = await waitingAtProvider();
  const shown = await json('artworks', 'workflow', id);
  expect(shown).toMatchObject({
    ...{ id, type: 'artwork', status: 'RUNNING', closedAt: null },
    activities: [expect.stringMatching(/^perform, attempt 1, queue .*-fal, worker worker-\d+@/)],
    details: expect.arrayContaining([expect.stringMatching(/^- `.*Z` generate: /)]),
  });
  const events = await json<{ type: string; about: string | null }[]>('artworks', 'workflow', id, '--history');
  expect(events[0]).toMatchObject({ event: 1, type: 'workflowExecutionStarted' });
  expect(events).toContainEqual(expect.objectContaining({ type: 'markerRecorded', about: 'begin' }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'timerStarted', about: 'retention' }));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'activityTaskScheduled', about: expect.stringMatching(/^perform /) }),
  );
  const text = (await operator(stack.env, 'artworks', 'workflow', id)).stdout;
  expect(text).toMatch(/^status +RUNNING$/m);
  expect(JSON.stringify([shown, events]) + text).not.toMatch(/zebra|http/);
  const { code, stderr } = await operator(stack.env, 'artworks', 'workflow', 'art_none');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Temporal has no workflow art_none\./)]);
  fal.release();
  await read(stack, id);
});

test('workers lists the queues with their workers', async () => {
  // As in the container of an API, which does not have the keys of providers.
  const { FAKE_KEY: _key, ...env } = stack.env;
  const { code, stdout, stderr } = await operatorProcess(env, 'workers', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const rows = JSON.parse(stdout) as { tasks: string; waiting: number; workers: string[] }[];
  expect(rows.map(({ tasks }) => tasks)).toEqual(
    expect.arrayContaining(['workflows', 'deliveries', 'inputs', 'fal', 'local']),
  );
  for (const { workers } of rows) {
    expect(workers.length).toBeGreaterThan(0);
    for (const worker of workers) expect(worker).toMatch(/^worker-\d+@./);
  }
});
