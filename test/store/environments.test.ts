/** The environment column: filled in for objects that exist at the migration, and for those that release 2.6.2 inserts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { createEmptyDatabase } from '../support/migrated-database.ts';
import { shared } from '../support/shared.ts';

let sql: pg.Client;

/** More than one slice. */
const many = 2500;

const accounts = `
  insert into organization (id, name, created_at, webhook_secret) values ('org_a', 'A', now(), '\\x00');
  insert into api_key (
    id, org_id, hash, prefix, label, scope, domains, environment, credits, usage_count, created_at
  )
  select 'key_' || environment, 'org_a', environment::bytea, 'at', 'a', 'admin', '{studio}', environment, 0, 0, now()
  from unnest('{live,test}'::text[]) as environment
`;

/** Statements of release 2.6.2, which does not know the column. */
const insertAll = (prefix: string) => `
  insert into artwork (id, org_id, key_id, operation, domain, status, input, metadata, created_at, expires_at)
  select '${prefix}' || id || n, 'org_a', id, 'selena', 'studio', 'STARTING', '{}', '{}', now(), now()
  from api_key, generate_series(1, ${many}) as n;
  insert into style (id, org_id, key_id, name, dna, created_at)
  select '${prefix}' || id, 'org_a', id, 'a', '{}', now()
  from api_key;
  insert into uploaded_file (id, org_id, key_id, content_type, width, height, bytes, created_at, expires_at)
  select '${prefix}' || id, 'org_a', id, 'image/png', 1, 1, 1, now(), now()
  from api_key;
  insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
  select 'org_a', current_date, '${prefix}', id, 1, 1, 1
  from api_key
`;

async function countByEnvironment(): Promise<unknown[]> {
  const tables = ['artwork', 'style', 'uploaded_file', 'usage'].map(
    (table) => `select '${table}' as name, key_id, environment from "${table}"`,
  );
  const { rows } = await sql.query({
    text: `select name, key_id, environment, count(*)::int from (${tables.join(' union all ')}) as objects
           group by 1, 2, 3 order by 1, 2, 3`,
    rowMode: 'array',
  });
  return rows;
}

const expected = (rounds: number) =>
  ['artwork', 'style', 'uploaded_file', 'usage'].flatMap((table) =>
    ['live', 'test'].map((environment) => [
      table,
      `key_${environment}`,
      environment,
      rounds * (table === 'artwork' ? many : 1),
    ]),
  );

beforeAll(async () => {
  const url = await createEmptyDatabase(shared().databaseUrl, `e${randomUUID().replaceAll('-', '')}`);
  await migrate(
    url,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0017-environments'),
    ),
  );
  sql = new pg.Client(url);
  await sql.connect();
  await sql.query(accounts);
  await sql.query(insertAll('before'));
  await migrate(url);
});
afterAll(() => sql.end());

test('objects that exist get the environment of their key', async () => {
  expect(await countByEnvironment()).toEqual(expected(1));
});

test('objects that the last release inserts get the environment of their key', async () => {
  await sql.query(insertAll('after'));
  expect(await countByEnvironment()).toEqual(expected(2));
});

test('an object of a key that does not exist violates the foreign key', async () => {
  const orphan = `
    insert into style (id, org_id, key_id, name, dna, created_at)
    values ('sty_x', 'org_a', 'key_x', 'a', '{}', now())
  `;
  await expect(sql.query(orphan)).rejects.toMatchObject({ constraint: 'style_key_id_foreign' });
});
