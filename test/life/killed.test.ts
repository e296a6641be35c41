/** API or worker are killed around a cancellation or a deletion: it is carried out, once, and the ledger is settled. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { domains } from '../../schemas/access.ts';
import { findFaults, listEntries } from '../../store/credits.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { createKey } from '../../store/keys.ts';
import { type Answer, call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { leavings, nothing } from '../support/leavings.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

let stack: Stack;
let receiver: Receiver;
let wire: Wire;
let temporal: TemporalClient;
let db: Database;
let sql: pg.Client;
let key: { id: string; apiKey: string };

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 } });
  // The first API speaks to PostgreSQL through the wire, the second does not.
  [stack, receiver] = await Promise.all([startSharedStack({ apis: 2, workers: 0, env }), startReceiver()]);
  wire = await startWire(stack.databaseUrl);
  temporal = await openTemporal(stack);
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
beforeEach(async () => {
  const fields = { label: 'test', scope: 'generator', environment: 'live', credits: 25, expiresAt: null } as const;
  const made = await createKey(db, { ...fields, orgId: stack.orgId, domains: [...domains] }, new Date());
  key = { id: made.row.id, apiKey: made.apiKey };
});
afterEach(async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  expect(await findFaults(db)).toEqual([]);
});
afterAll(async () => {
  await Promise.all([temporal.close(), db.close(), sql.end()]);
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const client = () => ({ baseUrl: stack.baseUrls[1] ?? '', adminKey: key.apiKey });
const acts = { cancel: ['POST', '/cancel'], delete: ['DELETE', ''] } as const;
type Act = keyof typeof acts;

/** @returns null where the connection was lost */
function act(name: Act, id: string, api: number): Promise<Answer | null> {
  const [method, path] = acts[name];
  return call(`${stack.baseUrls[api]}/v2/artworks/${id}${path}`, { method, key: key.apiKey }).catch(() => null);
}

const make = async (size = 256) =>
  (await create(client(), { prompt: 'a boat on a lake', width: size, height: size, webhookUrl: receiver.url })).id;

/** Canceled: one event, readable. Deleted: none, and nothing left. In both cases it has cost nothing. */
async function expectDone(name: Act, id: string): Promise<void> {
  const events = () => receiver.received.filter(({ event }) => event.id === id);
  if (name === 'delete') {
    await temporal.client.workflow.getHandle(id).result();
    await eventually(async () => expect(await leavings(stack, sql, id)).toEqual(nothing));
    expect((await act('delete', id, 1))?.status).toBe(404);
    expect(events()).toEqual([]);
  } else {
    await receiver.until(id, 1, 55_000);
    const artwork = await read(client(), id);
    expect([artwork.status, artwork.images]).toEqual(['CANCELED', []]);
    await eventually(async () => expect((await leavings(stack, sql, id)).files).toEqual([]));
    // Again only where the receiver's answer may have been lost; the same event in any case.
    expect(new Set(events().map(({ raw }) => raw.toString())).size).toBe(1);
    expect(events()[0]!.event.type).toBe('artwork.canceled');
  }
  const entries = (await listEntries(db, key.id, 10)).filter(({ reference }) => reference === id);
  expect(entries.map(({ kind, amount }) => `${kind} ${amount}`).sort()).toEqual(['release 10', 'reserve -10']);
}

const ofApi: [Act, string, Point][] = [
  ['cancel', 'behind the signal', { statement: /for update/, hold: 'statement' }],
  ['cancel', 'before its commit', { after: /"finished_at" = /, statement: /commit/, hold: 'statement' }],
  ['cancel', 'behind its commit', { after: /"finished_at" = /, statement: /commit/, hold: 'answer' }],
  ['delete', 'behind the signal', { statement: /for update/, hold: 'statement' }],
  ['delete', 'before its commit', { after: /delete from "image"/, statement: /commit/, hold: 'statement' }],
  ['delete', 'behind its commit', { after: /delete from "image"/, statement: /commit/, hold: 'answer' }],
];

test.each(ofApi)('%s: the API is killed %s', async (name, _when, point) => {
  await stack.apis.shift()?.stop();
  stack.apis.unshift(await stack.startApi(0, { DATABASE_URL: wire.url }));
  stack.workers.push(await stack.startWorker());
  const id = await make(2048);
  await eventually(async () => expect((await read(client(), id)).status).toBe('PROCESSING'));
  const held = wire.holdAt(point);
  const answer = act(name, id, 0);
  await held.reached;
  process.kill(stack.apis[0]!.pid, 'SIGKILL');
  expect(await answer).toBeNull();
  held.release();
  await expectDone(name, id);
  stack.apis[0] = await stack.startApi(0);
});

/** Where the worker is when it is killed; `locks` where it holds the row until then. */
const ofWorker: [when: string, point: Point, locks: boolean][] = [
  ['in begin', { statement: /set .*"started_at" = /, hold: 'statement' }, false],
  ['in perform, the result not yet kept', { statement: /insert into "call_result"/, hold: 'statement' }, true],
  ['in finish, nothing written', { statement: /set .*"finished_at" = /, hold: 'statement' }, true],
];

test.each((['cancel', 'delete'] as const).flatMap((name) => ofWorker.map((one) => [name, ...one] as const)))(
  '%s: a worker is killed %s',
  async (name, _when, point, locks) => {
    const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
    const held = wire.holdAt(point);
    const id = await make();
    await held.reached;
    if (locks) process.kill(doomed.pid, 'SIGKILL');
    const answer = await eventually(async () => {
      const one = await act(name, id, 1);
      // PostgreSQL has to notice first that whoever held the row is gone.
      expect(one?.status).not.toBe(503);
      return one;
    });
    expect(answer?.status).toBe(name === 'cancel' ? 202 : 204);
    if (!locks) process.kill(doomed.pid, 'SIGKILL');
    stack.workers.push(await stack.startWorker());
    await expectDone(name, id);
    held.release();
  },
);

/** Where the worker is on its way out. */
const onTheWayOut: [Act, string, Point][] = [
  ['cancel', 'before it looks how it ended', { statement: /for update/, hold: 'statement' }],
  ['cancel', 'before it tells anybody', { statement: /from "organization"/, hold: 'statement' }],
  ['cancel', 'when the receiver was just told', { statement: /insert into "delivery"/, hold: 'statement' }],
  ['delete', 'in its purge, the files gone', { statement: /for update/, hold: 'statement' }],
  ['delete', 'in its purge, the row locked', { statement: /delete from "artwork"/, hold: 'statement' }],
  ['delete', 'behind its purge', { after: /delete from "artwork"/, statement: /commit/, hold: 'answer' }],
];

test.each(onTheWayOut)('%s: a worker is killed %s', async (name, _when, point) => {
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const id = await make(2048);
  await eventually(async () => expect((await read(client(), id)).status).toBe('PROCESSING'));
  // Its call has asked all that it asks before it draws.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const held = wire.holdAt(point);
  expect((await act(name, id, 1))?.status).toBe(name === 'cancel' ? 202 : 204);
  await held.reached;
  process.kill(doomed.pid, 'SIGKILL');
  stack.workers.push(await stack.startWorker());
  await expectDone(name, id);
  held.release();
});
