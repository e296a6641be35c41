/** A PostgreSQL that accepts the service only over TLS: every connection is encrypted and verified, or refused with one sentence. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { createAuthority } from '../../scripts/local/certificate.ts';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { pooledEnv, type PgBouncer, startPgBouncer } from '../../scripts/local/pgbouncer.ts';
import { type Postgres, startPostgres } from '../../scripts/local/postgres.ts';
import { call, create } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runUntilItEnds } from '../support/failing-process.ts';
import { operatorProcess } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { type Stack, startFurtherApi, startStack } from '../support/stack.ts';
import { writtenFile } from '../support/written-file.ts';

jest.setTimeout(180_000);

const folder = mkdtempSync(join(shared().folder, 'postgres-tls-'));
const write = (name: string, content: string) => writtenFile(folder, name, content);
const [ours, theirs] = [createAuthority('ours'), createAuthority('theirs')];
const authority = write('ours.pem', ours.cert);
const otherAuthority = write('theirs.pem', theirs.cert);
const pair = (name: string, { cert, key }: { cert: string; key: string }) => ({
  PGSSLCERT: write(`${name}.pem`, cert),
  PGSSLKEY: write(`${name}.key`, key),
});
const client = pair('client', ours.issue(['client']));
const stranger = pair('stranger', theirs.issue(['stranger']));
const verified = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: authority };
const mutual = { ...verified, ...client };

let postgres: Postgres;
let stack: Stack;
let receiver: Receiver;

async function start(name: string, names: string[]): Promise<Postgres> {
  const tls = { ...ours.issue(names), clientAuthority: ours.cert };
  const { started } = await onFreePorts([25_532], '127.0.0.1', ([port = 0]) =>
    startPostgres({ dataDir: join(folder, name), port, logFile: join(folder, `${name}.log`), tls }),
  );
  return started;
}

beforeAll(async () => {
  [postgres, receiver] = await Promise.all([start('postgres', ['db.test', '127.0.0.1']), startReceiver()]);
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.close();
  await postgres?.stop();
});

const environment = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  TEMPORAL_ADDRESS: shared().temporalAddress,
  DATABASE_URL: postgres.url,
  ATELIER_SECRET: 'a secret for tests, at least 32 characters',
  ATELIER_DATA: folder,
  PORT: '0',
  ...variables,
});

/** The superuser of the server may connect without TLS. */
async function asSuperuser<T>(use: (sql: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(postgres.url);
  Object.assign(url, { username: 'postgres', pathname: 'postgres' });
  const sql = new pg.Client(url.href);
  await sql.connect();
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

test('migration runs over TLS', async () => {
  const { code, output } = await runUntilItEnds('scripts/migrate.ts', [], environment(mutual));
  expect([code, output]).toEqual([0, expect.stringContaining('Migrations: 0001-first-tables')]);
});

test('every connection of API, worker and operator uses TLS with a client certificate', async () => {
  const withTls = new URL(postgres.url);
  const parameters = {
    sslmode: 'verify-full',
    sslrootcert: authority,
    sslcert: client.PGSSLCERT,
    sslkey: client.PGSSLKEY,
  };
  for (const [name, value] of Object.entries(parameters)) withTls.searchParams.set(name, value);
  stack = await startStack({ ...shared(), databaseUrl: withTls.href });
  const { id } = await create(stack, { prompt: 'a red fox', width: 256, height: 256, webhookUrl: receiver.url });
  const [event] = await receiver.until(id);
  expect(event?.event.type).toBe('artwork.succeeded');
  const { code } = await operatorProcess({ ...stack.env, NODE_OPTIONS: '' }, '--json', 'keys', 'list', stack.orgId);
  expect(code).toBe(0);
  await eventually(async () => {
    const { rows } = await asSuperuser((sql) =>
      sql.query<{ application_name: string; ssl: boolean; client_dn: string }>(
        `select distinct application_name, ssl, client_dn from pg_stat_ssl join pg_stat_activity using (pid)
         where usename = 'atelier' order by application_name`,
      ),
    );
    const names = ['atelier-api', 'atelier-api-limits', 'atelier-api-listening', 'atelier-worker'];
    expect(rows).toEqual(names.map((name) => ({ application_name: name, ssl: true, client_dn: '/CN=client' })));
  });
});

describe('through PgBouncer', () => {
  let pgbouncer: PgBouncer;
  let pooled: Stack;

  beforeAll(async () => {
    const tls = { server: ours.issue(['127.0.0.1']), client: ours.issue(['pooler']), authority: ours.cert };
    const files = { folder: join(folder, 'pgbouncer'), logFile: join(folder, 'pgbouncer.log') };
    ({ started: pgbouncer } = await onFreePorts([26_432], '127.0.0.1', ([port = 0]) =>
      startPgBouncer({ databaseUrl: postgres.url, port, tls, ...files }),
    ));
    pooled = await startStack({ ...shared(), databaseUrl: stack.databaseUrl, poolerPort: pgbouncer.port });
  });
  afterAll(async () => {
    await pooled?.stop();
    await pgbouncer?.stop();
  });

  test('every connection uses TLS with a client certificate on both sides', async () => {
    const { id } = await create(pooled, { prompt: 'a red fox', width: 256, height: 256, webhookUrl: receiver.url });
    const [event] = await receiver.until(id);
    expect(event?.event.type).toBe('artwork.succeeded');
    const { rows } = await asSuperuser((sql) =>
      sql.query<{ client_dn: string; ssl: boolean }>(
        `select distinct client_dn, ssl from pg_stat_ssl join pg_stat_activity using (pid)
         where datname = $1 order by client_dn`,
        [new URL(pooled.databaseUrl).pathname.slice(1)],
      ),
    );
    // The first is that of the API's LISTEN, which leads around PgBouncer.
    expect(rows).toEqual([
      { client_dn: '/CN=client', ssl: true },
      { client_dn: '/CN=pooler', ssl: true },
    ]);
  });

  test.each([
    ['no TLS', () => ({ PGSSLMODE: 'disable' }), 'requires TLS: add sslmode=verify-full to DATABASE_URL'],
    ['no client certificate', () => verified, 'requires a client certificate: set sslcert and sslkey in DATABASE_URL'],
    [
      'an unknown authority',
      () => ({ ...mutual, PGSSLROOTCERT: otherAuthority }),
      'has a certificate of an unknown authority: set sslrootcert in DATABASE_URL',
    ],
  ])('an operator with %s gets one sentence', async (_name, variables, sentence) => {
    const env = environment({ ...pooledEnv(postgres.url, pgbouncer.port), ...variables() });
    const { code, output } = await runUntilItEnds('operator/main.ts', ['organizations', 'list'], env);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

const entries: [string, string, string[]][] = [
  ['worker', 'workers/main.ts', []],
  ['migration', 'scripts/migrate.ts', []],
  ['operator', 'operator/main.ts', ['organizations', 'list']],
  ['operator migration', 'operator/main.ts', ['migrate']],
];
const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost');
const rejections: [string, () => NodeJS.ProcessEnv, string][] = [
  [
    "the server's authority is unknown",
    () => ({ ...mutual, PGSSLROOTCERT: otherAuthority }),
    'has a certificate of an unknown authority: set sslrootcert in DATABASE_URL, or PGSSLROOTCERT,',
  ],
  [
    'the server has another name',
    () => ({ ...mutual, DATABASE_URL: elsewhere(postgres.url) }),
    'has a certificate that is not valid for localhost: use a name of the certificate (DNS:db.test, IP Address:127.0.0.1) in DATABASE_URL.',
  ],
  ['the connection is not encrypted', () => ({}), 'requires TLS: add sslmode=verify-full to DATABASE_URL'],
  [
    'the client has no certificate',
    () => verified,
    'requires a client certificate: set sslcert and sslkey in DATABASE_URL',
  ],
  [
    'the certificate is of another authority',
    () => ({ ...verified, ...stranger }),
    'rejected the client certificate (unknown ca): the sslcert in DATABASE_URL or PGSSLCERT must be issued by',
  ],
  [
    'the server offers no TLS',
    () => ({ ...mutual, DATABASE_URL: shared().databaseUrl }),
    'offers no TLS, which the sslmode in DATABASE_URL or PGSSLMODE requires',
  ],
];

test.each(rejections)('every process ends with one sentence when %s', async (_name, variables, sentence) => {
  for (const [name, entry, args] of entries) {
    const { code, output } = await runUntilItEnds(entry, args, environment(variables()));
    expect([name, code, output]).toEqual([name, 1, expect.stringContaining(sentence)]);
    expect(output).not.toMatch(/\n\s+at |"stack"/);
    expect(output).not.toContain(new URL(postgres.url).password);
  }
});

test('an API whose database it does not trust responds with 503 and logs why', async () => {
  const url = new URL(stack.databaseUrl);
  url.searchParams.set('sslrootcert', otherAuthority);
  const api = await startFurtherApi(stack, { DATABASE_URL: url.href });
  try {
    const response = await call(`${api.baseUrl}/v2/artworks`, { key: stack.adminKey });
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const log = readFileSync(join(stack.dataFolder, `api-${new URL(api.baseUrl).port}.log`), 'utf8');
    expect(log).toContain('has a certificate of an unknown authority: set sslrootcert in DATABASE_URL');
  } finally {
    await api.stop();
  }
});

test.each([
  ['require', () => ({ ...client, PGSSLMODE: 'require' })],
  ['verify-ca', () => ({ ...mutual, PGSSLMODE: 'verify-ca' })],
])('sslmode=%s accepts a certificate with another name', async (_mode, variables) => {
  const env = environment({ ...variables(), DATABASE_URL: elsewhere(postgres.url) });
  const { code, output } = await runUntilItEnds('operator/main.ts', ['--json', 'organizations', 'list'], env);
  expect([code, output]).toEqual([0, expect.stringContaining('[')]);
});
