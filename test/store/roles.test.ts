/** deploy/postgres/atelier-roles.sql on a managed PostgreSQL, whose administrator is no superuser: what the roles may do. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newRoles, ownerUrl, prepareRoles, serviceUrl } from '../../scripts/cluster/roles.ts';
import { openLimiter } from '../../store/limiter.ts';
import { migrate } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { secret } from '../support/database.ts';
import { operator } from '../support/operator.ts';
import { shared } from '../support/shared.ts';

const name = `r${randomUUID().replaceAll('-', '')}`;
const [administrator, stranger] = [`${name}_administrator`, `${name}_stranger`];
const roles = newRoles();
const withParts = (parts: Partial<URL>) => Object.assign(new URL(shared().databaseUrl), parts).href;
const as = (username: string) => withParts({ username, pathname: name });
const url = as(administrator);

async function query<Row extends pg.QueryResultRow>(address: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const codeOf = (address: string, sql: string) =>
  query(address, sql).then(
    () => 'done',
    (error: unknown) => (error as pg.DatabaseError).code,
  );

beforeAll(async () => {
  // On this server, all users but those of the file have the same password.
  const server = withParts({ username: 'postgres', pathname: 'postgres' });
  const password = pg.escapeLiteral(new URL(server).password);
  await query(server, `create role ${administrator} login createrole password ${password}`);
  await query(server, `create role ${stranger} login password ${password}`);
  await query(server, `create database ${name} owner ${administrator}`);
  await prepareRoles(url, roles);
});

test('the owner migrates', async () => {
  expect(await migrate(ownerUrl(url, roles))).toEqual(migrations.map((step) => step.name));
});

test('the service role can read and write the rows of every table', async () => {
  const rows = await query(
    serviceUrl(url, roles),
    `select relname, relkind from pg_class
     where relnamespace = 'public'::regnamespace and (
       relkind in ('r', 'p') and not (
         has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and
         has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
       or relkind = 'S' and not has_sequence_privilege(oid, 'usage'))`,
  );
  expect(rows).toEqual([]);
});

test('the commands of the operator and the limits work as the service role', async () => {
  const env = { DATABASE_URL: serviceUrl(url, roles), ATELIER_SECRET: secret };
  const created = await operator(env, '--json', 'organizations', 'create', 'Acme');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { orgId } = JSON.parse(created.stdout) as { orgId: string };
  const key = await operator(env, '--json', 'keys', 'create', orgId, '--scope', 'admin');
  expect(key).toMatchObject({ code: 0, stderr: '' });
  const failures: unknown[] = [];
  const limiter = openLimiter({ url: env.DATABASE_URL }, 'test', (error) => failures.push(error));
  await limiter.increment('one');
  await limiter.close();
  expect(failures).toEqual([]);
});

const insufficientPrivilege = '42501';

test.each([
  'create table other ()',
  'create temporary table other ()',
  'create schema other',
  `create function other() returns int language sql return 1`,
  'alter table artwork add column other text',
  'create index other on artwork (id)',
  'truncate artwork',
  'drop table artwork',
  'create role other',
  'create database other',
  'set role atelier_owner',
  `alter role atelier_owner password 'other'`,
  'select * from pg_authid',
  `select pg_read_file('postgresql.conf')`,
])('the service role cannot: %s', async (sql) => {
  expect(await codeOf(serviceUrl(url, roles), sql)).toBe(insufficientPrivilege);
});

test.each(['create role other', 'create database other', 'select * from pg_authid'])(
  'the owner cannot: %s',
  async (sql) => {
    expect(await codeOf(ownerUrl(url, roles), sql)).toBe(insufficientPrivilege);
  },
);

test('other roles cannot connect to the database', async () => {
  expect(await codeOf(as(stranger), 'select 1')).toBe(insufficientPrivilege);
});

test('PostgreSQL bounds the statements and transactions of the service role', async () => {
  const address = serviceUrl(url, roles);
  expect(await query(address, 'show statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
  const [row] = await query(address, 'show idle_in_transaction_session_timeout');
  expect(row).toEqual({ idle_in_transaction_session_timeout: '10s' });
});

test('the administrator can end the sessions of both roles', async () => {
  for (const address of [serviceUrl(url, roles), ownerUrl(url, roles)]) {
    const client = new pg.Client(address);
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    const [row] = await query<{ state: string }>(
      url,
      `select state, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = '${new URL(address).username}'`,
    );
    expect(row?.state).toBe('idle');
    await ended;
  }
});

test.each(['postgres', administrator])('another run, as %s, changes only the passwords', async (username) => {
  const next = newRoles();
  await prepareRoles(as(username), next);
  const count = 'select count(*)::int as count from organization';
  expect(await codeOf(serviceUrl(url, roles), count)).toBe('28P01');
  expect(await query(serviceUrl(url, next), count)).toEqual([{ count: 1 }]);
  expect(await migrate(ownerUrl(url, next))).toEqual([]);
  await prepareRoles(url, roles);
});

test.each([
  ['without a password', url, { ...roles, service: '' }, 'OWNER_PASSWORD and SERVICE_PASSWORD must be set'],
  [
    'as a role that does not own the database',
    withParts({ username: administrator, pathname: 'atelier' }),
    roles,
    'only the owner of the database and of its schema "public" or a superuser can run this file',
  ],
])('%s, it changes nothing and says why', async (_how, address, passwords, sentence) => {
  await expect(prepareRoles(address, passwords)).rejects.toThrow(sentence);
  expect(await codeOf(serviceUrl(url, roles), 'select 1')).toBe('done');
});
