/** A roll and a creation of the same key do not block each other for good. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { operator } from '../../store/audit.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { rollKey } from '../../store/roll-key.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';

let stack: Stack;
let db: Database;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

test('rolls a key between the two statements of a creation that reserves credits', async () => {
  const { orgId } = stack;
  const { id } = await createTestKey(db, { orgId, credits: 5 });
  const creation = new pg.Client(stack.databaseUrl);
  await creation.connect();
  await creation.query('begin');
  // The foreign key of the artwork takes this lock, and the reservation then changes the credits.
  await creation.query('select 1 from api_key where id = $1 for key share', [id]);
  const rolling = rollKey(db, { orgId, id, gracePeriodSeconds: 0, now: new Date() }, operator);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await creation.query('update api_key set credits = credits - 1 where id = $1', [id]);
  await creation.query('commit');
  await creation.end();
  const rolled = await rolling;
  expect(await findKeyBySecret(db, rolled?.apiKey ?? '', new Date())).toMatchObject({ id, credits: 4 });
});
