/** Measures event streams: the memory of idle streams, and the time from an artwork's end to its event. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ArtworkView } from '../schemas/artwork.ts';
import { insertArtwork } from '../store/artworks.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { newArtwork } from '../test/support/artworks.ts';
import { type Backends, serversOf } from './backends.ts';
import { create } from '../test/support/client.ts';
import { type Following, follow } from '../test/support/follow.ts';
import { type Stack, startStack } from '../test/support/stack.ts';
import { printFigures, printTimes } from './figures.ts';
import { cpuTime, memory } from './processes.ts';

const warmUp = 50;
const count = 200;
const streams = 1000;
/** Milliseconds without events on the streams: four heartbeats and two refreshes of all streams. */
const idle = 60_000;

export async function benchEvents(backends: Backends): Promise<void> {
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn' },
  });
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  const db = openDatabase({ url: stack.databaseUrl, name: 'bench' });
  const open: Following[] = [];
  try {
    await endToEvent(stack, warmUp);
    const alone = await endToEvent(stack, count);

    const { pid = 0 } = stack.apis[0] ?? {};
    const before = memory(pid).now;
    await followIdle(stack, await insertWaiting(sql, db), open);
    const after = memory(pid).now;
    const [cpu, transactions] = [cpuTime(pid), await transactionsOf(sql)];
    await delay(idle);
    const cpuIdle = cpuTime(pid) - cpu;
    const queries = (await transactionsOf(sql)) - transactions;
    const { rows } = await sql.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name like 'atelier-api%'`,
    );
    const beside = await endToEvent(stack, count);

    printTimes({ 'end → event': alone, [`end → event, beside ${streams} idle streams`]: beside });
    console.log();
    printFigures({
      [`${streams} idle streams`]: `${after - before} MB (${(((after - before) * 1024) / streams).toFixed(0)} KB each), API ${after} MB`,
      'CPU of the API while idle': `${((cpuIdle / idle) * 100).toFixed(2)} % of a core`,
      'transactions while idle': `${((queries / idle) * 1000).toFixed(1)}/s, of all processes`,
      'connections to PostgreSQL': rows[0]?.count ?? '',
    });
  } finally {
    for (const one of open) one.leave();
    await db.close();
    await sql.end();
    await stack.stop();
  }
}

/** Inserts artworks that no worker processes, and returns their ids. */
async function insertWaiting(sql: pg.Client, db: Database): Promise<string[]> {
  const { rows } = await sql.query<{ org: string; key: string }>(
    'select org_id as org, id as key from api_key limit 1',
  );
  const [owner] = rows;
  if (!owner) throw new Error('The stack has no key');
  const expiresAt = new Date(Date.now() + 3_600_000);
  const artworks = Array.from({ length: streams }, () => ({ ...newArtwork({ ...owner, price: 0 }), expiresAt }));
  for (const artwork of artworks) await insertArtwork(db, artwork);
  return artworks.map(({ id }) => id);
}

async function followIdle(stack: Stack, ids: readonly string[], open: Following[]): Promise<void> {
  for (const id of ids) open.push(await follow(`${stack.baseUrl}/v2/artworks/${id}/events`, stack.adminKey));
  for (const one of open) await one.until(() => true);
}

/** Returns the milliseconds from the stored end of each artwork to its event. */
async function endToEvent(stack: Stack, artworks: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < artworks) {
    const { id } = await create(stack, { prompt: 'a lighthouse on a cliff at dusk' });
    const { closed, events } = await follow(`${stack.baseUrl}/v2/artworks/${id}/events`, stack.adminKey);
    await closed;
    const now = Date.now();
    // The artwork ended before its stream opened, so there was no event to measure.
    if (events.length === 1) continue;
    const { finishedAt } = events.at(-1)?.data as Partial<ArtworkView>;
    times.push(now - Date.parse(finishedAt ?? ''));
  }
  return times;
}

async function transactionsOf(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ sum: string }>(
    'select xact_commit + xact_rollback as sum from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.sum);
}
