/** PostgreSQL drops every connection in the middle of a step: the step is made again, and no artwork fails for it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, create } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { expectWhole } from '../support/whole.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

let stack: Stack;
let receiver: Receiver;
let database: pg.Client;
let wire: Wire;
/** Its retention runs while the others are tested. */
let first: string;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([
    startSharedStack({ workers: 0, env: { ATELIER_RETENTION: '20s' } }),
    startReceiver(),
  ]);
  wire = await startWire(stack.databaseUrl);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
  await stack.startWorker({ DATABASE_URL: wire.url });
  first = (await create(stack, body())).id;
});
afterAll(async () => {
  await database.end();
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const points: Record<string, Point> = {
  begin: { statement: /set .*"started_at" = /, hold: 'statement' },
  'begin, its answer': { statement: /set .*"started_at" = /, hold: 'answer' },
  'perform, keeping the result': { statement: /insert into "call_result"/, hold: 'statement' },
  'perform, the result kept': { after: /insert into "call_result"/, statement: /commit/, hold: 'answer' },
  finish: { statement: /set .*"finished_at" = /, hold: 'statement' },
  'finish, its answer': { after: /set .*"finished_at" = /, statement: /commit/, hold: 'answer' },
  'deliver, before it sends': { statement: /from "organization"/, hold: 'statement' },
  'deliver, recording': { statement: /insert into "delivery"/, hold: 'statement' },
  'deliver, recorded': { statement: /insert into "delivery"/, hold: 'answer' },
};

const body = () => ({ prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url });

test.each(Object.entries(points))('%s', async (_name, point) => {
  const held = wire.holdAt(point);
  const { id } = await create(stack, body());
  await held.reached;
  await cutAll();
  held.release();
  await expectWhole(stack, receiver, [id]);
});

test('purge', async () => {
  const held = wire.holdAt({ statement: /delete from "artwork"/, hold: 'statement' });
  await held.reached;
  await cutAll();
  held.release();
  await eventually(async () => {
    expect((await call(`${stack.baseUrl}/v2/artworks/${first}`, { key: stack.adminKey })).status).toBe(404);
    expect((await database.query('select from artwork where id = $1', [first])).rowCount).toBe(0);
  });
});

/** What a restart does to the worker's connections. */
async function cutAll(): Promise<void> {
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier-worker' and datname = current_database()`,
  );
}
