/** A key is found by its secret with one statement, which reads one index; a rolled or unknown key needs a second one. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '../../store/database.ts';
import { newApiKey } from '../../store/ids.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let db: Database;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name: 'test', connections: 1 });
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

interface Statement {
  text: string;
  values: unknown[];
}

/** Returns a function that returns the statements sent over the only connection since this call. */
async function watchStatements(): Promise<() => Statement[]> {
  const pool = await db.em().getConnection().getNativeClient();
  const connection = await pool.connect();
  const query = jest.spyOn(connection, 'query').mockClear();
  connection.release();
  return () => query.mock.calls.map(([text, values]) => ({ text: String(text), values: values }));
}

const unknown = () => newApiKey('live');

test.each([
  ['an existing key', 'one statement', () => stack.adminKey, true, ['api_key_hash_unique']],
  ['an unknown key', 'two statements', unknown, false, ['api_key_hash_unique', 'previous_key_hash_unique']],
])('looks up %s with %s, which read one index each', async (_name, _count, secret, exists, indexes) => {
  const statements = await watchStatements();
  const found = await findKeyBySecret(db, secret(), new Date());
  const sent = statements();
  expect(found !== null).toBe(exists);
  expect(sent).toHaveLength(indexes.length);
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  // PostgreSQL would scan a table with so few rows.
  await client.query('set enable_seqscan = off');
  for (const [index, { text, values }] of sent.entries()) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`Index Scan using ${indexes[index]}`);
  }
  await client.end();
});
