/** A key is found by its secret with one statement, which reads one index. */
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

test.each([
  ['an existing key', () => stack.adminKey, true],
  ['an unknown key', () => newApiKey('live'), false],
])('looks up %s with one statement, which reads one index', async (_name, secret, exists) => {
  const statements = await watchStatements();
  const found = await findKeyBySecret(db, secret());
  const sent = statements();
  expect(found !== null).toBe(exists);
  expect(sent).toHaveLength(1);
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  // PostgreSQL would scan a table with so few rows.
  await client.query('set enable_seqscan = off');
  const { text, values } = sent[0]!;
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  await client.end();
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using api_key_hash_unique/);
});
