/** Usage counts are added once, whatever becomes of the response of the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createLogger } from '../../runtime/log.ts';
import { openUsageCounter } from '../../services/usage-counter.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { saveCounts } from '../../store/usage.ts';
import { joinService } from '../support/shared.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';
import { startWire, type Wire } from '../support/wire.ts';

let wire: Wire;
let db: Database;
let sql: pg.Client;
let key: TestKey;

beforeAll(async () => {
  const { databaseUrl, orgId } = await joinService('accepting');
  wire = await startWire(databaseUrl);
  db = openDatabase({ url: wire.url, name: 'usage-test', timeout: 500 });
  sql = new pg.Client(databaseUrl);
  await sql.connect();
  key = await createTestKey(db, { orgId });
});
afterAll(async () => {
  await Promise.all([db.close(), sql.end()]);
  await wire.close();
});

async function counted() {
  const { rows } = await sql.query<{ used: number; requests: number; artworks: number }>(
    `select usage_count::int as used, sum(requests)::int as requests, sum(artworks)::int as artworks
     from api_key join usage on key_id = id where id = $1 group by id`,
    [key.id],
  );
  return rows[0];
}

test('adds a batch once when the response to it is lost, and the counts that came meanwhile', async () => {
  const uses = openUsageCounter(db, createLogger('test', 'silent'));
  const lost = wire.holdAt({ statement: /insert into "usage"/, hold: 'response', about: key.id });
  for (let times = 0; times < 3; times++) uses.countRequest(key.id, 'selena', Date.now());
  uses.countArtwork(key.id, 'selena', Date.now());
  await lost.reached;
  uses.countRequest(key.id, null, Date.now());
  uses.countRequest(key.id, 'selena', Date.now());
  // Two intervals: the batch is repeated, and its response is lost again.
  await new Promise((resolve) => setTimeout(resolve, 4500));
  expect(await counted()).toEqual({ used: 3, requests: 3, artworks: 1 });
  lost.release();
  await uses.close();
  expect(await counted()).toEqual({ used: 5, requests: 5, artworks: 1 });
});

test('ignores a batch that arrives after a later one of the same counter', async () => {
  const before = await counted();
  const at = { key: key.id, day: '2026-01-01', operation: null, lastUsedAt: new Date() };
  const batch = (number: number) => ({ counter: 'late', number, counts: [{ ...at, requests: number, artworks: 0 }] });
  for (const number of [1, 2, 1]) await saveCounts(db, batch(number));
  expect((await counted())?.used).toBe((before?.used ?? 0) + 3);
});
