/** Notifications about artworks: their steps, their deletion, and the notice that some notifications may have been missed. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { deleteArtworkRows, insertArtwork } from '../../store/artworks.ts';
import { type Changes, listenForChanges } from '../../store/changes.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { newArtwork } from '../support/artworks.ts';
import { type OwnDatabase, ownDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let client: pg.Client;
let db: Database;
let changes: Changes;
let owner: OwnDatabase['owner'];
let heard: (string | null)[] = [];

beforeAll(async () => {
  const own = await ownDatabase();
  ({ sql: client, owner } = own);
  db = openDatabase({ url: own.url, name: 'test' });
  changes = listenForChanges(own.url, 'test-listening', () => undefined);
  changes.watch((id) => heard.push(id));
  await eventually(() => expect(heard).toEqual([null]));
});
beforeEach(() => {
  heard = [];
});
afterAll(async () => {
  await changes.close();
  await db.close();
  await client.end();
});

async function stored(prefix: 'art' | 'ans' = 'art'): Promise<string> {
  const artwork = { ...newArtwork({ ...owner, price: 0 }), id: newId(prefix) };
  await insertArtwork(db, artwork);
  return artwork.id;
}

/** Waits until all earlier notifications have arrived. */
async function fence(): Promise<void> {
  await client.query(`select pg_notify('artwork', 'fence')`);
  await eventually(() => expect(heard.at(-1)).toBe('fence'));
}

const steps: [name: string, statement: string, heard: number][] = [
  ['begins', `update artwork set status = 'PROCESSING', started_at = now() where id = $1`, 1],
  ['gets a result', `insert into call_result (artwork_id, call, model, finished_at) values ($1, 'a', 'm', now())`, 1],
  [
    'has a failed attempt',
    `insert into failed_try (artwork_id, call, engine, attempt, started_at, ended_at, code) values ($1, 'b', 'e', 1, now(), now(), 'provider_timeout')`,
    1,
  ],
  ['is attempted again', `update failed_try set retried_at = now() where artwork_id = $1`, 1],
  ['has its prompt written', `update artwork set prompt = 'a boat' where id = $1`, 0],
  ['is removed before its end', 'delete from artwork where id = $1', 1],
];

test('reports each step of an artwork, and only status changes of a synchronous request', async () => {
  const [artwork, synchronous] = [await stored(), await stored('ans')];
  for (const [name, statement, count] of steps) {
    heard = [];
    await client.query(statement, [artwork]);
    await client.query(statement, [synchronous]);
    await fence();
    expect([name, heard.filter((id) => id === artwork)]).toEqual([name, Array.from({ length: count }, () => artwork)]);
    if (/result|attempt/.test(name)) expect([name, heard.includes(synchronous)]).toEqual([name, false]);
  }
});

test('the purge of an ended artwork sends no notification', async () => {
  const id = await stored();
  await client.query(`update artwork set status = 'FAILED', finished_at = now() where id = $1`, [id]);
  await fence();
  heard = [];
  await deleteArtworkRows(db, id, new Date());
  await fence();
  expect(heard).toEqual(['fence']);
});

const pidOf = async () => {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'test-listening' and datname = current_database()`,
  );
  return rows[0]?.pid ?? 0;
};

test('reports after a broken connection that any artwork may have changed', async () => {
  await client.query('select pg_terminate_backend($1)', [await pidOf()]);
  await eventually(() => expect(heard).toEqual([null]));
  await fence();
});

test('replaces a connection whose server hangs', async () => {
  const pid = await pidOf();
  process.kill(pid, 'SIGSTOP');
  try {
    await eventually(() => expect(heard).toEqual([null]), 40_000);
    await fence();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}, 60_000);
