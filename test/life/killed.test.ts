/** API or worker are killed around a cancellation or a deletion: it is carried out, once, and the ledger is settled. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Books, openBooks, type TestKey } from '../support/books.ts';
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
let books: Books;
let key: TestKey;

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 } });
  // The first API speaks to PostgreSQL through the wire, the second does not.
  [stack, receiver] = await Promise.all([startSharedStack({ apis: 2, workers: 0, env }), startReceiver()]);
  wire = await startWire(stack.databaseUrl);
  temporal = await openTemporal(stack);
  books = await openBooks(stack);
});
beforeEach(async () => {
  key = await books.newKey({ credits: 25 });
});
afterEach(async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  await books.expectInOrder();
});
afterAll(async () => {
  await Promise.all([temporal.close(), books.close()]);
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
    await eventually(async () => expect(await leavings(stack, books.sql, id)).toEqual(nothing));
    expect((await act('delete', id, 1))?.status).toBe(404);
    expect(events()).toEqual([]);
  } else {
    await receiver.until(id, 1, 55_000);
    const artwork = await read(client(), id);
    expect([artwork.status, artwork.images]).toEqual(['CANCELED', []]);
    await eventually(async () => expect((await leavings(stack, books.sql, id)).files).toEqual([]));
    // Again only where the receiver's answer may have been lost; the same event in any case.
    expect(new Set(events().map(({ raw }) => raw.toString())).size).toBe(1);
    expect(events()[0]!.event.type).toBe('artwork.canceled');
  }
  expect(await books.entries(key, id)).toEqual(['release 10', 'reserve -10']);
}

const both = ['cancel', 'delete'] as const;

/** Waits until one artwork stands at the first point and the other at the second. */
function holdBoth(cancel: Point, remove: Point) {
  const held = [cancel, remove].map((point) => wire.holdAt(point));
  return {
    reached: Promise.all(held.map(({ reached }) => reached)),
    release: () => held.forEach((one) => one.release()),
  };
}

interface HeldBoth {
  reached: Promise<unknown>;
  release(): void;
}

/** What comes first in a transaction about an artwork. */
const lock: Point = { statement: /for update/, hold: 'statement' };
const commit = { statement: /commit/, hold: 'statement' } as const;
const committed = { statement: /commit/, hold: 'answer' } as const;
const ends = /"finished_at" = /;
const removesImages = /delete from "image"/;
const removesRow = /delete from "artwork"/;

// One at a time: both change the balance of their key, and the second would wait for the first.
const ofApi: [Act, string, Point][] = [
  ['cancel', 'behind the signal', lock],
  ['cancel', 'before its commit', { after: ends, ...commit }],
  ['cancel', 'behind its commit', { after: ends, ...committed }],
  ['delete', 'behind the signal', lock],
  ['delete', 'before its commit', { after: removesImages, ...commit }],
  ['delete', 'behind its commit', { after: removesImages, ...committed }],
];

test.each(ofApi)('%s: the API is killed %s', async (name, _when, point) => {
  await stack.apis.shift()?.stop();
  stack.apis.unshift(await stack.startApi(0, { DATABASE_URL: wire.url }));
  stack.workers.push(await stack.startWorker());
  const id = await making();
  const held = wire.holdAt(point);
  const answer = act(name, id, 0);
  await held.reached;
  process.kill(stack.apis[0]!.pid, 'SIGKILL');
  expect(await answer).toBeNull();
  held.release();
  await expectDone(name, id);
  stack.apis[0] = await stack.startApi(0);
});

/** An artwork that takes a while, and has begun. */
async function making(): Promise<string> {
  const id = await make(2048);
  await eventually(async () => expect((await read(client(), id)).status).toBe('PROCESSING'));
  return id;
}

/** Where the worker is when it is killed; `locks` where it holds the rows until then. */
const ofWorker: [when: string, point: Point, locks: boolean][] = [
  ['in begin', { statement: /set .*"started_at" = /, hold: 'statement' }, false],
  ['in perform, the result not yet kept', { statement: /insert into "call_result"/, hold: 'statement' }, true],
  ['in finish, nothing written', { statement: /set .*"finished_at" = /, hold: 'statement' }, true],
];

test.each(ofWorker)('a worker is killed %s', async (_when, point, locks) => {
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const held = wire.holdAt(point, 2);
  const ids = { cancel: await make(), delete: await make() };
  await held.reached;
  if (locks) process.kill(doomed.pid, 'SIGKILL');
  for (const name of both) {
    const answer = await eventually(async () => {
      const one = await act(name, ids[name], 1);
      // PostgreSQL has to notice first that whoever held the row is gone.
      expect(one?.status).not.toBe(503);
      return one;
    });
    expect(answer?.status).toBe(accepted[name]);
  }
  if (!locks) process.kill(doomed.pid, 'SIGKILL');
  stack.workers.push(await stack.startWorker());
  for (const name of both) await expectDone(name, ids[name]);
  held.release();
});

const accepted = { cancel: 202, delete: 204 } as const;

/** Where the worker is on the way out of a canceled one and a deleted one. */
const onTheWayOut: [cancel: string, remove: string, hold: () => HeldBoth][] = [
  ['before it looks how it ended', 'in its purge, the files gone', () => wire.holdAt(lock, 2)],
  [
    'before it tells anybody',
    'in its purge, the row locked',
    () =>
      holdBoth({ statement: /from "organization"/, hold: 'statement' }, { statement: removesRow, hold: 'statement' }),
  ],
  [
    'when the receiver was just told',
    'behind its purge',
    () => holdBoth({ statement: /insert into "delivery"/, hold: 'statement' }, { after: removesRow, ...committed }),
  ],
];

test.each(onTheWayOut)('a worker is killed: cancel, %s; delete, %s', async (_cancel, _remove, hold) => {
  const doomed = await stack.startWorker({ DATABASE_URL: wire.url });
  const ids = { cancel: await making(), delete: await making() };
  // Their calls have asked all that they ask before they draw.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const held = hold();
  for (const name of both) expect((await act(name, ids[name], 1))?.status).toBe(accepted[name]);
  await held.reached;
  process.kill(doomed.pid, 'SIGKILL');
  stack.workers.push(await stack.startWorker());
  for (const name of both) await expectDone(name, ids[name]);
  held.release();
});
