/** A setting that cannot work stops every process with one sentence, which names the variable. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { claimPort } from '../scripts/local/ports.ts';
import { startService } from '../scripts/local/service.ts';
import { createEmptyDatabase } from './support/migrated-database.ts';
import { secret } from './support/database.ts';
import { shared } from './support/shared.ts';

interface Stopped {
  code: number;
  stderr: string;
}

function start(entry: string, settings: NodeJS.ProcessEnv, args: string[] = []): Promise<Stopped> {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  const all = ['--disable-warning=ExperimentalWarning', entry, ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      all,
      { env: { ...env, ATELIER_SECRET: secret, ...settings } },
      (error, _stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });
}

test.each(['api/main.ts', 'workers/main.ts', 'operator/main.ts', 'scripts/migrate.ts'])('%s', async (entry) => {
  const message = 'ATELIER_RETENTION must be a duration such as 5s, 30m or 8 days, not "8".\n';
  expect(await start(entry, { ATELIER_RETENTION: '8' })).toEqual({ code: 1, stderr: message });
});

test.each([
  ['api/main.ts', 'ATELIER_PRICES', '/none.yaml', '/none.yaml cannot be read (ENOENT). Check ATELIER_PRICES.'],
  [
    'workers/main.ts',
    'ATELIER_ENGINES',
    '/none.json',
    '/none.json cannot be read (ENOENT). Check ATELIER_ENGINES or --file.',
  ],
])('%s with a file in %s that does not exist', async (entry, name, file, message) => {
  expect(await start(entry, { [name]: file })).toEqual({ code: 1, stderr: `${message}\n` });
});

test.each(['PORT', 'ATELIER_METRICS_PORT'])('api/main.ts with a %s that is in use', async (name) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await start('api/main.ts', { PORT: '0', [name]: String(port) });
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^[A-Z_ a-z]*${name}: cannot listen on 127.0.0.1:${port} \\(.*EADDRINUSE.*\\)\\.\\n$`),
  );
});

test.each([
  ['that cannot be created', '/dev/null/uploads', 'ENOTDIR'],
  ['that is a file', '/etc/hostname', 'EEXIST'],
  ['that cannot be written', '/proc', 'ENOENT'],
])('api/main.ts with a TMPDIR %s', async (_what, folder, code) => {
  const remedy = 'Set TMPDIR to a folder that this user can write, or free space in it.';
  const stderr = `TMPDIR: ${folder} cannot be written (${code}). ${remedy}\n`;
  expect(await start('api/main.ts', { TMPDIR: folder })).toEqual({ code: 1, stderr });
});

const databaseOf = (parts: Partial<URL>) => Object.assign(new URL(shared().databaseUrl), parts).href;
const server = () => `The PostgreSQL server at 127.0.0.1:${new URL(shared().databaseUrl).port}`;

test.each([
  ['workers/main.ts', []],
  ['operator/main.ts', ['organizations', 'list']],
  ['scripts/migrate.ts', []],
])('%s with a database that it cannot use', async (entry, args) => {
  const results = [databaseOf({ pathname: 'none' }), databaseOf({ password: '' }), databaseOf({ password: 'no' })].map(
    (url) => start(entry, { DATABASE_URL: url, TEMPORAL_ADDRESS: shared().temporalAddress }, args),
  );
  const sentences = [
    `${server()} has no database none: create it, or correct the name of the database in DATABASE_URL.`,
    `${server()} demands a password, and DATABASE_URL has none: write postgresql://user:password@….`,
    `${server()} rejected the password of the user atelier: check DATABASE_URL.`,
  ];
  expect(await Promise.all(results)).toEqual(sentences.map((sentence) => ({ code: 1, stderr: `${sentence}\n` })));
});

/** Creates a role with the password of the run's other roles. Returns the address of a new database as this role. */
async function newRole(options: string): Promise<{ url: string; name: string }> {
  const name = `s${randomUUID().replaceAll('-', '')}`;
  const url = new URL(await createEmptyDatabase(shared().databaseUrl, name));
  const superuser = new pg.Client(databaseOf({ username: 'postgres', pathname: 'postgres' }));
  await superuser.connect();
  await superuser.query(`create role ${name} login password ${pg.escapeLiteral(url.password)} ${options}`);
  await superuser.end();
  return { url: Object.assign(url, { username: name }).href, name };
}

test('scripts/migrate.ts as a role that may not create tables', async () => {
  const { url, name } = await newRole('');
  const sentence =
    `${server()} does not let the user ${name} do this (permission denied for schema public): ` +
    'name the owner of the tables in DATABASE_URL to migrate; deploy/postgres/atelier-roles.sql creates it.';
  expect(await start('scripts/migrate.ts', { DATABASE_URL: url })).toEqual({ code: 1, stderr: `${sentence}\n` });
});

test('operator/main.ts without a free connection', async () => {
  const { url } = await newRole('connection limit 0');
  const sentence =
    `${server()} has no free connection: raise max_connections of PostgreSQL (max_client_conn of PgBouncer), ` +
    'or run fewer processes.';
  const result = await start('operator/main.ts', { DATABASE_URL: url }, ['organizations', 'list']);
  expect(result).toEqual({ code: 1, stderr: `${sentence}\n` });
});

test('a worker starts without a database, and logs that it does not respond', async () => {
  const { port, release } = await claimPort(0);
  const logFile = join(shared().folder, `worker-${port}.log`);
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  const worker = await startService({
    name: 'worker',
    entry: 'workers/main.ts',
    env: {
      ...env,
      ATELIER_SECRET: secret,
      DATABASE_URL: databaseOf({ port: String(port) }),
      TEMPORAL_ADDRESS: shared().temporalAddress,
      ATELIER_TASK_QUEUE: `startup-${port}`,
      ATELIER_WORKER_ROLES: 'workflows',
    },
    logFile,
  });
  await worker.stop();
  release();
  expect(readFileSync(logFile, 'utf8')).toContain(
    `The PostgreSQL server at 127.0.0.1:${port} does not respond: check DATABASE_URL and the server.`,
  );
});
