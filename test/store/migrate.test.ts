/** The migrations create the tables of the entities, and each runs once, even when several processes start them. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate, openForMigration } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { shared } from '../support/shared.ts';

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
