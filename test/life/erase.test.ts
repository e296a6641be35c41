/** An organization is erased while its artworks run: nothing is left of it, and another organization keeps everything. */
import { userInfo } from 'node:os';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { ErasureReport } from '../../services/erasure-report.ts';
import { destinationOf, recordFailure } from '../../store/destinations.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, create, ended } from '../support/client.ts';
import { findInTables } from '../support/database-texts.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { textsOf } from '../support/history-texts.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { findRemains } from '../support/remains.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { storedNames } from '../support/stored-files.ts';
import { encodedStyle } from '../support/styles.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';
import { createTestOrganization } from '../support/test-organization.ts';
import { sendPhoto } from '../support/uploads.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(120_000);

let stack: Stack;
let receiver: Receiver;
let fal: UpstreamFake;
let temporal: TemporalClient;
let accounts: Accounts;
let sql: pg.Client;

beforeAll(async () => {
  fal = await startFal({ apiKey });
  const engines = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
  const price = { base: 10 };
  const prices = await priced({ selena: price, quantum: price, textcraft: price });
  const env = { ...engines, ...prices, ATELIER_WEBHOOK_SCHEDULE: '0s,1h' };
  [stack, receiver] = await Promise.all([
    startSharedStack(timed({ quantum: 0 }, env)),
    startReceiver((response, _nth, { path }) => response.writeHead(path.endsWith('no') ? 500 : 200).end()),
  ]);
  temporal = await openTemporal(stack);
  accounts = await openAccounts(stack);
  sql = accounts.sql;
});
afterAll(async () => {
  fal.release();
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await Promise.all([receiver.close(), fal.close()]);
});

interface Tenant {
  orgId: string;
  key: TestKey;
  /** A word in everything that the client writes. */
  word: string;
  /** The ids of its workflows, which are also the owners of its files. */
  ids: string[];
}

/** Creates an organization with at least one object of every kind, in every stage that lasts. */
async function populate(word: string): Promise<Tenant> {
  const { orgId } = await createTestOrganization(accounts.db, stack.secret);
  const key = await createTestKey(accounts.db, { orgId, scope: 'admin', credits: 1000 });
  const client = { baseUrl: stack.baseUrl, adminKey: key.apiKey };
  const body = { prompt: `a ${word}`, width: 256, height: 256, metadata: { name: word } };
  const hook = (path: string) => ({ webhookUrl: `${receiver.url}/${word}${path}` });
  const finished = await create(client, { ...body, ...hook('/yes') }, 'quantum');
  const undelivered = await create(client, { ...body, ...hook('/no') }, 'quantum');
  const atProvider = await create(client, { ...body, ...hook('/yes') });
  for (const { id } of [finished, undelivered]) {
    await ended(client, id);
    await receiver.until(id);
  }
  const written = await call(`${stack.baseUrl}/v2/textcraft`, {
    ...{ method: 'POST', key: key.apiKey, headers: { 'idempotency-key': word } },
    body: { task: 'rewrite', prompt: `a ${word}` },
  });
  expect(written.status).toBe(200);
  const upload = (await (await sendPhoto(stack.baseUrl, key.apiKey)).json()) as { id: string };
  await encodedStyle(accounts.db, { org: orgId, key: key.id });
  await call(`${stack.baseUrl}/v2/organizations/${orgId}/webhook-signing-key`, { method: 'POST', key: key.apiKey });
  await call(`${stack.baseUrl}/v2/organizations/${orgId}/api-keys/${key.id}/roll`, { method: 'POST', key: key.apiKey });
  const failing = destinationOf({ org: orgId, environment: 'live', ...hook('/no') });
  const now = new Date();
  const failure = { artwork: undelivered.id, error: 'timeout', now, expiresAt: now, pauseAfter: null };
  await recordFailure(accounts.db, failing, failure);
  await eventually(async () => {
    expect(await workflowsOf(orgId)).toHaveLength(4);
    expect(await sql.query('select from usage where org_id = $1', [orgId])).toMatchObject({ rowCount: 4 });
    expect((await findRemains(stack, sql, atProvider.id)).rows['job']).toBe(1);
  });
  return { orgId, key, word, ids: [...(await workflowsOf(orgId)), upload.id] };
}

/** Returns the ids of the running artworks and synchronous requests of an organization. */
async function workflowsOf(orgId: string): Promise<string[]> {
  const query = `AtelierOrganization = '${orgId}' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
}

async function erase(...args: string[]): Promise<ErasureReport> {
  const { code, stdout, stderr } = await operator(stack.env, '--json', 'organizations', 'erase', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as ErasureReport;
}

interface State {
  /** The number of rows by table. */
  rows: Record<string, number>;
  files: object;
  workflows: unknown;
}

/** Workers seal the entries of all organizations every minute. */
const withoutSeals = ({ rows: { audit_seal: _, ...rows }, ...state }: State) => ({ rows, ...state });

/** Returns everything that is stored of an organization, except for the record of its erasure. */
async function stateOf({ orgId, key, ids }: Tenant): Promise<State> {
  const tables = await sql.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const named = [orgId, key.id, ...ids].map((text) => `strpos(one::text, '${text}') > 0`).join(' or ');
    const { rowCount } = await sql.query(
      `select from ${name} one where (${named}) and strpos(one::text, 'organization.erased') = 0`,
    );
    if (rowCount) rows[name] = rowCount;
  }
  const files = Object.fromEntries(
    await Promise.all(ids.map(async (id) => [id, await storedNames(stack, id)] as const)),
  );
  return { rows, files, workflows: await workflowsOf(orgId) };
}

async function expectErased(tenant: Tenant): Promise<void> {
  const files = Object.fromEntries(tenant.ids.map((id) => [id, []]));
  expect(await stateOf(tenant)).toEqual({ rows: {}, files, workflows: [] });
  expect(await findInTables(sql, [tenant.word])).toEqual([]);
  for (const id of tenant.ids) {
    const handle = temporal.client.workflow.getHandle(id);
    expect((await handle.describe()).status.name).not.toBe('RUNNING');
    const texts = [...textsOf([await handle.fetchHistory(), (await handle.describe()).raw])].join('\n');
    expect(texts).not.toContain(tenant.word);
  }
}

test('erases an organization in every stage of its artworks, and nothing of another one', async () => {
  fal.hold();
  const [erased, kept] = [await populate('quagga'), await populate('axolotl')];
  const events = receiver.received.length;
  const cancels = fal.counts.cancels;
  const before = await stateOf(kept);
  const { orgId } = erased;

  const counts = {
    ...{ artworks: 4, uploads: 1, styles: 1, keys: 1, workflowsEnded: 5, jobsAtProviders: 1, webhookDestinations: 1 },
    // Two results and the upload; the grant, four reservations, and the settlements of all but one,
    // whose erasure releases the reservation.
    ...{ files: 3, ledgerEntries: 11, usageSums: 4 },
  };
  const preview = await erase(orgId, '--dry-run');
  expect(preview).toMatchObject({ orgId, outcome: 'dry run', counts });
  expect(preview.counts.bytes).toBeGreaterThan(1000);

  const report = await erase(orgId, '--confirm', orgId);
  expect(report).toMatchObject({ orgId, outcome: 'erased', counts: { ...counts, ledgerEntries: 12 } });
  expect(report.counts.bytes).toBe(preview.counts.bytes);
  expect(report.remains.map(({ place }) => place)).toContain('Temporal: closed workflows');
  expect(JSON.stringify(report)).not.toContain(erased.word);
  await expectErased(erased);
  expect(await call(`${stack.baseUrl}/v2/usage`, { key: erased.key.apiKey })).toMatchObject({ status: 401 });

  const records = await sql.query(
    `select org_id, operator_name from audit_entry where action = 'organization.erased' and target = $1`,
    [orgId],
  );
  expect(records.rows).toEqual([{ org_id: null, operator_name: userInfo().username }]);

  expect(withoutSeals(await stateOf(kept))).toEqual(withoutSeals(before));
  await accounts.expectConsistent();
  await eventually(() => expect(fal.counts.cancels - cancels).toBe(1));
  expect(receiver.received.length).toBe(events);
  expect(await erase(orgId, '--confirm', orgId)).toMatchObject({ outcome: 'absent', counts: { artworks: 0, keys: 0 } });
});

/** Holds the lock of a row that a request has which refers to it, until `release`. */
async function holdRow(table: string, id: string | undefined): Promise<{ release(): Promise<void> }> {
  const lock = new pg.Client(stack.databaseUrl);
  await lock.connect();
  await lock.query('begin');
  await lock.query(`select from ${table} where id = $1 for key share`, [id]);
  return { release: () => lock.end() };
}

/** Waits until the operator's command waits for a lock. */
async function isWaiting(): Promise<void> {
  const waiting = `select from pg_stat_activity
    where application_name = 'atelier-operator' and wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(async () => expect(await sql.query(waiting)).toMatchObject({ rowCount: 1 }));
}

test.each([
  ['an artwork', 'artwork', ({ ids }: Tenant) => ids[0]],
  ['a key', 'api_key', ({ key }: Tenant) => key.id],
  ['the organization', 'organization', ({ orgId }: Tenant) => orgId],
])('continues after it was killed before it could erase %s', async (_name, table, idOf) => {
  const tenant = await populate(`tapir${table}`);
  const { orgId, key } = tenant;
  const lock = await holdRow(table, idOf(tenant));
  const args = ['operator/main.ts', 'organizations', 'erase', orgId, '--confirm', orgId];
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const killed = spawn(process.execPath, args, { cwd: root, env: stack.env, stdio: 'ignore' });
  const exited = once(killed, 'exit');
  await isWaiting();
  killed.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  await lock.release();

  expect(await sql.query('select from organization where id = $1', [orgId])).toMatchObject({ rowCount: 1 });
  expect(await call(`${stack.baseUrl}/v2/usage`, { key: key.apiKey })).toMatchObject({ status: 401 });
  await accounts.expectConsistent();
  expect(await erase(orgId, '--confirm', orgId)).toMatchObject({ outcome: 'erased' });
  await expectErased(tenant);
});

test('erases nothing without the id as confirmation, for a typo or for another word', async () => {
  const { orgId } = await createTestOrganization(accounts.db, stack.secret);
  for (const args of [[orgId], [orgId, '--confirm', `${orgId}x`], ['acme', '--confirm', 'acme']]) {
    const { code, stderr } = await operator(stack.env, 'organizations', 'erase', ...args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/Nothing was erased|not the id of an organization/),
    });
  }
  expect(await sql.query('select from organization where id = $1', [orgId])).toMatchObject({ rowCount: 1 });
  const shown = await operatorProcess(stack.env, 'organizations', 'erase', orgId, '--confirm', orgId);
  expect(shown).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/outcome +erased[^]*backups/) });
});

test('erases a key that is created and used while the erasure runs', async () => {
  const { orgId } = await createTestOrganization(accounts.db, stack.secret);
  const key = await accounts.newKey({ orgId });
  const lock = await holdRow('api_key', key.id);
  const erasing = operator(stack.env, '--json', 'organizations', 'erase', orgId, '--confirm', orgId);
  await isWaiting();
  const late = await createTestKey(accounts.db, { orgId, credits: 1000 });
  const statuses: number[] = [];
  const uses = (async () => {
    while (statuses.at(-1) !== 401) {
      const body = { prompt: 'a boat', width: 256, height: 256 };
      const path = `${stack.baseUrl}/v2/artworks/selena`;
      statuses.push((await call(path, { method: 'POST', key: late.apiKey, body })).status);
    }
  })();
  await eventually(() => expect(statuses).toContain(202));
  await lock.release();
  // The command gives up a statement that waits for two seconds, which the 202 may take on a busy machine.
  const { code, stdout } = await erasing;
  const [report, counts] =
    code === 0 ? [JSON.parse(stdout) as unknown, { keys: 2 }] : [await erase(orgId, '--confirm', orgId)];
  expect(report).toMatchObject({ outcome: 'erased', ...(counts && { counts }) });
  await uses;
  expect(await stateOf({ orgId, key: late, word: '', ids: [] })).toEqual({ rows: {}, files: {}, workflows: [] });
});

test('asks for workers when workflows do not end, and the next run continues', async () => {
  const tenant = await populate('okapi');
  await stack.stopWorkers({ signal: 'SIGKILL' });
  const { orgId } = tenant;
  const stuck = await operator(stack.env, 'organizations', 'erase', orgId, '--confirm', orgId, '--wait', '1');
  expect(stuck).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('4 workflows of this organization have not ended'),
    // What it has erased so far.
    stdout: expect.stringMatching(/outcome +interrupted[^]*artworks +4\n/),
  });
  expect(await findInTables(sql, [tenant.word])).toEqual([]);
  stack.workers.push(await stack.startWorker());
  expect(await erase(orgId, '--confirm', orgId)).toMatchObject({ outcome: 'erased' });
  await expectErased(tenant);
});
