/** Values are sent apart from their statement, so that PostgreSQL cannot log what clients write. */
import { raw } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '../../store/database.ts';
import { UploadedFile } from '../../store/entities.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const name = 'bound-values';
const secret = 'a lighthouse that nobody may read about';

let stack: Stack;
let db: Database;
let sql: pg.Client;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name, connections: 1 });
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
afterAll(async () => {
  await Promise.all([db.close(), sql.end()]);
  await stack.stop();
});

/** Returns the text of the last statement, as PostgreSQL would log it. */
async function lastStatement(): Promise<string | undefined> {
  const { rows } = await sql.query<{ query: string }>(
    'select query from pg_stat_activity where application_name = $1',
    [name],
  );
  return rows[0]?.query;
}

test.each<[string, string, unknown[], unknown]>([
  ['a text', 'select ?::text as value', [secret], secret],
  ['a document', 'select ?::jsonb as value', [{ prompt: secret }], { prompt: secret }],
  ['bytes', 'select ?::bytea as value', [Buffer.from(secret)], Buffer.from(secret)],
  ['a list', `select 'x' in (?) as value`, [[secret, 'x']], true],
  ['a value of a fragment', 'select ? as value', [raw('upper(?)', [secret])], secret.toUpperCase()],
  ['a name, a number and a question mark', `select '[1]'::jsonb \\? ? as ??`, [secret, 'value'], false],
])('%s is sent apart from its statement', async (_kind, statement, params, expected) => {
  const rows = await db.em().execute<{ value: unknown }[]>(statement, params);
  expect(rows).toEqual([{ value: expected }]);
  expect(await lastStatement()).toMatch(/^select/);
  expect(await lastStatement()).not.toContain('lighthouse');
});

test('conditions of entities are sent apart from their statement', async () => {
  expect(await db.em().findOne(UploadedFile, { id: { $in: [secret, 'other'] } })).toBeNull();
  expect(await lastStatement()).toContain('$1');
  expect(await lastStatement()).not.toContain('lighthouse');
});
