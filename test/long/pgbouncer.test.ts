/** API and worker through PgBouncer in transaction mode, as `atelier_service`, with PostgreSQL itself for LISTEN. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { newRoles, prepareRoles, serviceUrl } from '../../scripts/cluster/roles.ts';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { pooledEnv, type PgBouncer, startPgBouncer } from '../../scripts/local/pgbouncer.ts';
import { call, create, ended, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runUntilItEnds } from '../support/failing-process.ts';
import { follow } from '../support/follow.ts';
import { createEmptyDatabase } from '../support/migrated-database.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { type Stack, startFurtherApi, startStack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { timed } from '../support/timed.ts';

jest.setTimeout(180_000);

let pgbouncer: PgBouncer;
let restart: () => Promise<PgBouncer>;
let stack: Stack;
let receiver: Receiver;
let sql: pg.Client;

const roles = newRoles();
const both = (databaseUrl: string) => pooledEnv(databaseUrl, pgbouncer.port);

beforeAll(async () => {
  const { folder, databaseUrl } = shared();
  await prepareRoles(databaseUrl, roles);
  const start = ([port = 0]: number[]) =>
    startPgBouncer({
      databaseUrl: serviceUrl(databaseUrl, roles),
      port,
      folder: join(folder, `pgbouncer-${port}`),
      logFile: join(folder, 'pgbouncer.log'),
    });
  restart = () => start([pgbouncer.port]);
  ({ started: pgbouncer } = await onFreePorts([26_432], '127.0.0.1', start));
  receiver = await startReceiver();
  stack = await startStack({ ...shared(), apis: 2, ...timed({ selena: 1500 }), poolerPort: pgbouncer.port, roles });
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
  await receiver?.close();
  await pgbouncer?.stop();
});

const body = () => ({ prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url });
const request = (path: string, method = 'GET', key = stack.adminKey) =>
  call(`${stack.baseUrl}/v2/artworks/${path}`, { method, key });
const logOf = (file: string) => readFileSync(join(stack.dataFolder, file), 'utf8');

test('an artwork can be created, waited for, followed, delivered, redelivered and deleted', async () => {
  const { id } = await create(stack, body());
  const following = await follow(`${stack.baseUrls[1]}/v2/artworks/${id}/events`, stack.adminKey);
  await following.until((event) => event.id === 'end');
  following.leave();
  expect((await read(stack, id)).status).toBe('SUCCEEDED');
  await receiver.until(id);
  expect((await request(`${id}/redeliver`, 'POST')).status).toBe(202);
  await receiver.until(id, 2);
  expect((await request(id, 'DELETE')).status).toBe(204);
  expect((await request(id)).status).toBe(404);
});

test('a waiting request learns of the end at once', async () => {
  const started = performance.now();
  const response = await call(`${stack.baseUrl}/v2/artworks/selena`, {
    ...{ method: 'POST', key: stack.adminKey, body: body() },
    headers: { prefer: 'wait=30' },
  });
  expect(response).toMatchObject({ status: 200, body: { status: 'SUCCEEDED' } });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('an artwork can be canceled', async () => {
  const { id } = await create(stack, body());
  expect((await request(`${id}/cancel`, 'POST')).status).toBeLessThan(300);
  expect((await ended(stack, id)).status).toBe('CANCELED');
});

test('many concurrent requests and artworks share the pool', async () => {
  const made = await Promise.all(Array.from({ length: 40 }, () => create(stack, body())));
  const reads = await Promise.all(
    Array.from({ length: 400 }, (_, index) => request(made[index % made.length]?.id ?? '')),
  );
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
  for (const { id } of made) expect((await ended(stack, id, 90_000)).status).toBe('SUCCEEDED');
});

test('both APIs count requests together', async () => {
  const limited = { ATELIER_RATE_OTHERS: '20', ATELIER_ORGANIZATION_LIMITS: 'requestsPerMinute=none' };
  const apis = [await startFurtherApi(stack, limited), await startFurtherApi(stack, limited)];
  const db = openTestDatabase(stack.databaseUrl);
  try {
    // PgBouncer opens its connections one after the other: while the first counts take too long, each API counts in
    // memory, and 40 requests succeed.
    await eventually(async () => {
      const { apiKey: key } = await createTestKey(db, { orgId: stack.orgId, scope: 'admin' });
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) => call(`${apis[index % 2]?.baseUrl}/v2/artworks`, { key })),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    });
  } finally {
    await db.close();
    await Promise.all(apis.map((api) => api.stop()));
  }
});

test('each API listens with one connection, and the logs say nothing about a pooler', async () => {
  // The connections of the APIs that the test before stopped may not have ended yet.
  await eventually(async () => {
    const { rows } = await sql.query<{ application_name: string; open: number }>(
      `select application_name, count(*)::int as open from pg_stat_activity
       where datname = current_database() and application_name like 'atelier-%listening' group by 1`,
    );
    expect(rows).toEqual([{ application_name: 'atelier-api-listening', open: 2 }]);
  });
  expect(logOf('api-main-ts.log')).not.toMatch(/pooler|prepared statement/);
  expect(logOf('test-support-instant-worker-ts.log')).not.toMatch(/pooler|prepared statement/);
});

const environment = (variables: NodeJS.ProcessEnv) => ({ ...stack.env, ATELIER_DATABASE_DIRECT_URL: '', ...variables });

test('migration uses PostgreSQL itself', async () => {
  const fresh = await createEmptyDatabase(shared().databaseUrl, `p${Date.now()}`);
  const { code, output } = await runUntilItEnds('scripts/migrate.ts', [], environment(both(fresh)));
  expect([code, output]).toEqual([0, expect.stringContaining('Migrations: 0001-first-tables')]);
});

test('PostgreSQL ends a statement that takes longer than the service waits', async () => {
  const client = new pg.Client(stack.env['DATABASE_URL']);
  await client.connect();
  expect((await client.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }]);
  await client.end();
});

test.each([
  ['a wrong password', { password: 'wrong' }, 'rejected the password of the user atelier_service: check DATABASE_URL.'],
  ['no password', { password: '' }, 'demands a password, and DATABASE_URL has none'],
  ['a missing database', { pathname: 'none' }, 'has no database none: create it, or correct the name'],
])('the operator says that there is %s', async (_what, parts, sentence) => {
  const url = Object.assign(new URL(stack.env['DATABASE_URL'] ?? ''), parts).href;
  const { code, output } = await runUntilItEnds('operator/main.ts', ['organizations', 'list'], {
    ...stack.env,
    DATABASE_URL: url,
  });
  expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
});

test('without the direct address, worker and operator say what is missing', async () => {
  const env = environment({ DATABASE_URL: stack.env['DATABASE_URL'] });
  const sentence = /is a pooler such as PgBouncer: set ATELIER_DATABASE_DIRECT_URL to the address of PostgreSQL itself/;
  for (const [entry, args] of [
    ['workers/main.ts', []],
    ['operator/main.ts', ['organizations', 'list']],
  ] as const) {
    const { code, output } = await runUntilItEnds(entry, [...args], env);
    expect([entry, code, output]).toEqual([entry, 1, expect.stringMatching(sentence)]);
  }
});

test('an API that listens through a pooler says so', async () => {
  const other = new URL(stack.env['DATABASE_URL'] ?? '');
  other.hostname = 'localhost';
  const api = await startFurtherApi(stack, { ATELIER_DATABASE_DIRECT_URL: other.href });
  try {
    await eventually(() =>
      expect(logOf(`api-${new URL(api.baseUrl).port}.log`)).toContain(
        'ATELIER_DATABASE_DIRECT_URL leads through a connection pooler, which loses notifications',
      ),
    );
  } finally {
    await api.stop();
  }
});

test('every query leads through PgBouncer, and the service resumes when it returns', async () => {
  const health = () => call(`${stack.baseUrl}/health`);
  await pgbouncer.stop();
  expect(await health()).toMatchObject({ status: 503, body: { checks: { database: 'unavailable', temporal: 'ok' } } });
  const refused = await call(`${stack.baseUrl}/v2/artworks/selena`, {
    ...{ method: 'POST', key: stack.adminKey, body: body() },
  });
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  pgbouncer = await restart();
  await eventually(async () => expect((await health()).status).toBe(200));
  const { id } = await create(stack, body());
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
});
