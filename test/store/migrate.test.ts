/** The migrations create the tables of the entities, and each runs once, even when several processes start them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { explainDatabaseError } from '../../runtime/database-errors.ts';
import { migrate, openForMigration } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { shared } from '../support/shared.ts';
import { startWire } from '../support/wire.ts';

let url: string;
const names = migrations.map(({ name }) => name);

async function emptyDatabase(): Promise<string> {
  const name = `m${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(shared().databaseUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const database = new URL(shared().databaseUrl);
  database.pathname = name;
  return database.href;
}

class AddNote extends Migration {
  override up(): void {
    this.addSql('alter table "artwork" add column "note" text null');
  }
}

const index = { name: 'artwork_operation_index', definition: 'on "artwork" ("operation")' };

beforeAll(async () => {
  url = await emptyDatabase();
});

test('runs every migration once', async () => {
  expect(await migrate(url)).toEqual(names);
  expect(await migrate(url)).toEqual([]);
});

test('the migrated tables match the entities', async () => {
  const orm = openForMigration(url);
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  } finally {
    await orm.close(true);
  }
});

test('several processes may migrate at once', async () => {
  const fresh = await emptyDatabase();
  const done = await Promise.all(Array.from({ length: 4 }, () => migrate(fresh)));
  expect(done.flat()).toEqual(names);
});

test('a migration ends when another process migrates for too long', async () => {
  const fresh = await emptyDatabase();
  const other = new pg.Client(fresh);
  await other.connect();
  const { rows } = await other.query('select pg_backend_pid() as pid, pg_advisory_lock(26112026)');
  const { pid } = rows[0] as { pid: number };
  await expect(migrate(fresh, migrations, { turn: 1000, silence: 10_000 })).rejects.toThrow(
    `Another process has migrated this database for 1 seconds: wait until it ends, or end its session with select pg_terminate_backend(${pid}), and migrate again.`,
  );
  await other.end();
  expect(await migrate(fresh)).toEqual(names);
});

test.each([
  ['waits for its turn', /pg_try_advisory_lock/],
  ['runs', /create table "organization"/],
])('a migration ends when the server stops responding while it %s', async (_when, statement) => {
  const fresh = await emptyDatabase();
  const wire = await startWire(fresh);
  const held = [statement, /select 1/].map((one) => wire.holdAt({ statement: one, hold: 'response' }));
  const began = performance.now();
  const failure = await migrate(wire.url, migrations, { turn: 10_000, silence: 1000 }).catch((error: unknown) => error);
  expect(explainDatabaseError(failure, wire.url)).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('does not respond: check DATABASE_URL and the server.'),
  });
  expect(performance.now() - began).toBeLessThan(8000);
  for (const { release } of held) release();
  await wire.close();
  expect(await migrate(fresh)).toEqual(names);
});

test('a migration whose table is locked begins again, and meanwhile reads of the table succeed', async () => {
  const fresh = await emptyDatabase();
  await migrate(fresh);
  const [blocker, reader] = [new pg.Client(fresh), new pg.Client({ connectionString: fresh, query_timeout: 1500 })];
  await Promise.all([blocker.connect(), reader.connect()]);
  await blocker.query('begin; select * from artwork');
  const migrating = migrate(fresh, [...migrations, { name: '9999-note', class: AddNote }]);
  for (let time = 0; time < 30; time++) {
    await reader.query('select id from artwork');
    await delay(100);
  }
  await blocker.query('commit');
  expect(await migrating).toEqual(['9999-note']);
  await Promise.all([blocker.end(), reader.end()]);
});

test('an index is built before its migration, and one whose build was interrupted is built again', async () => {
  const fresh = await emptyDatabase();
  await migrate(fresh);
  const client = new pg.Client(fresh);
  await client.connect();
  const isValid = async () =>
    (
      await client.query<{ indisvalid: boolean }>(
        'select indisvalid from pg_index where indexrelid = to_regclass($1)',
        [index.name],
      )
    ).rows;
  await client.query(`create table number (value int); insert into number values (1), (1)`);
  const interrupted = client.query(`create unique index concurrently "${index.name}" on number (value)`);
  await expect(interrupted).rejects.toThrow('could not create unique index');
  expect(await isValid()).toEqual([{ indisvalid: false }]);
  const step = { name: '9999-note', class: AddNote, indexes: [index] };
  expect(await migrate(fresh, [...migrations, step])).toEqual(['9999-note']);
  expect(await isValid()).toEqual([{ indisvalid: true }]);
  await client.end();
});

class AddNumbers extends Migration {
  override up(): void {
    this.addSql('alter table "number" add constraint "number_value_check" check ("value" < 0) not valid');
    this.addSql('alter table "number" validate constraint "number_value_check"');
  }
}

test('slices change all rows before their migration, and continue after an interruption', async () => {
  const fresh = await emptyDatabase();
  await migrate(fresh);
  const client = new pg.Client(fresh);
  await client.connect();
  await client.query('create table number (value int); insert into number select n from generate_series(1, 25) as n');
  const slice = `
    update number set value = -value
    where ctid = any (array(select ctid from number where value > 0 limit 10))
  `;
  const step = { name: '9999-numbers', class: AddNumbers, slices: [slice] };
  const interrupting = { ...step, slices: [slice.replace('-value', '-value + 0 / (value - 15)')] };
  await expect(migrate(fresh, [...migrations, interrupting])).rejects.toThrow('division by zero');
  const { rows } = await client.query('select count(*)::int as changed from number where value < 0');
  expect(rows).toEqual([{ changed: 10 }]);
  expect(await migrate(fresh, [...migrations, step])).toEqual(['9999-numbers']);
  await client.end();
});
