/** For one id, either the artwork's row or the workflow's claim is stored, never both. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { beginArtwork, claimArtwork, findArtwork, insertArtwork, type NewArtwork } from '../../store/artworks.ts';
import { type Database, isUniqueViolation, openDatabase } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let db: Database;
let keyId: string;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
  keyId = (await findKeyBySecret(db, stack.adminKey, new Date()))!.id;
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

const times = { now: new Date(), expiresAt: new Date(Date.now() + 60_000) };
const claim = (id: string) => claimArtwork(db, { id, orgId: stack.orgId, keyId, operation: 'selena' }, times);
const insert = (id: string) => {
  const { now: createdAt, expiresAt } = times;
  const row: NewArtwork = {
    id,
    org: stack.orgId,
    key: keyId,
    operation: 'selena',
    domain: 'artworks-internal',
    input: {},
    plan: { prompt: null, stages: [] },
    metadata: {},
    webhookUrl: null,
    createdAt,
    expiresAt,
  };
  return insertArtwork(db, row);
};

test('rejects a row that comes after the claim', async () => {
  const id = newId('art');
  expect(await claim(id)).toBe(true);
  expect(isUniqueViolation(await insert(id).catch((error: unknown) => error))).toBe(true);
  expect(await findArtwork(db, id)).toBeNull();
  expect(await beginArtwork(db, id, times.now)).toBe('abandoned');
});

test('claiming an id twice succeeds, for a worker that died after its first claim', async () => {
  const id = newId('art');
  expect(await claim(id)).toBe(true);
  expect(await claim(id)).toBe(true);
});

test('rejects a claim that comes after the row', async () => {
  const id = newId('art');
  await insert(id);
  expect(await claim(id)).toBe(false);
  expect(await beginArtwork(db, id, times.now)).toMatchObject({ status: 'PROCESSING' });
});

test('an id needs no claim when its key is deleted', async () => {
  const names = { id: newId('art'), orgId: stack.orgId, keyId: 'key_removed', operation: 'selena' };
  expect(await claimArtwork(db, names, times)).toBe(true);
});

test('exactly one of a concurrent row and claim is stored', async () => {
  for (let round = 0; round < 20; round++) {
    const id = newId('art');
    const [stored, claimed] = await Promise.all([
      insert(id).then(
        () => true,
        () => false,
      ),
      claim(id),
    ]);
    expect(stored).not.toBe(claimed);
  }
});
