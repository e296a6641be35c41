/** The API or the worker is killed during a cancellation or a deletion, which happens once nevertheless and settles the ledger. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Running } from '../../scripts/local/child.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { type ServiceResponse, call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { endless, timed } from '../support/timed.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';
import { startWiredApi, type WiredApi } from '../support/wired-api.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;
let wireOfApi: Wire;
let wireOfWorker: Wire;
/** The API that the test kills. The stack's own API keeps running. */
let api: WiredApi;
let worker: Running;
let temporal: TemporalClient;
let accounts: Accounts;

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 }, hamilton: { base: 10 } });
  [stack, receiver] = await Promise.all([
    startSharedStack({ workers: 0, ...timed({ selena: 0, hamilton: endless }, env) }),
    startReceiver(),
  ]);
  [wireOfApi, wireOfWorker, temporal, accounts] = await Promise.all([
    startWire(stack.env['DATABASE_URL'] ?? ''),
    startWire(stack.env['DATABASE_URL'] ?? ''),
    openTemporal(stack),
    openAccounts(stack),
  ]);
  [api, worker] = await Promise.all([
    startWiredApi(stack, wireOfApi),
    stack.startWorker({ DATABASE_URL: wireOfWorker.url }),
  ]);
});
afterEach(() => accounts.expectConsistent());
afterAll(async () => {
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  api.close();
  await Promise.all([wireOfApi.close(), wireOfWorker.close(), receiver.close()]);
});

const acts = { cancel: ['POST', '/cancel', 202], delete: ['DELETE', '', 204] } as const;
type Act = keyof typeof acts;

/** An artwork to cancel or delete. Each has its own key, because ending an artwork locks the balance of its key. */
interface Made {
  act: Act;
  id: string;
  key: TestKey;
}

async function make(act: Act, operation: 'selena' | 'hamilton'): Promise<Made> {
  const key = await accounts.newKey({ credits: 25 });
  const client = { baseUrl: stack.baseUrl, adminKey: key.apiKey };
  const body = { prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url };
  return { act, id: (await create(client, body, operation)).id, key };
}

/** Cancels or deletes an artwork. Returns null when the connection is lost. */
function end({ act, id, key }: Made, baseUrl = stack.baseUrl): Promise<ServiceResponse | null> {
  const [method, path] = acts[act];
  return call(`${baseUrl}/v2/artworks/${id}${path}`, { method, key: key.apiKey }).catch(() => null);
}

async function expectAccepted(made: Made): Promise<void> {
  const response = await eventually(async () => {
    const one = await end(made);
    // PostgreSQL first has to notice that the worker that locked the row is gone.
    expect(one?.status).not.toBe(503);
    return one;
  });
  expect(response?.status).toBe(acts[made.act][2]);
}

/**
 * Expects that a canceled artwork is readable and has sent one event, that nothing is left of a deleted artwork, which
 * has sent none, and that neither has cost credits.
 */
async function expectDone(made: Made): Promise<void> {
  const { act, id, key } = made;
  const events = () => receiver.received.filter(({ event }) => event.id === id);
  if (act === 'delete') {
    await temporal.client.workflow.getHandle(id).result();
    await eventually(async () => expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing));
    expect((await end(made))?.status).toBe(404);
    expect(events()).toEqual([]);
  } else {
    await receiver.until(id, 1, 55_000);
    const artwork = await read({ baseUrl: stack.baseUrl, adminKey: key.apiKey }, id);
    expect([artwork.status, artwork.images]).toEqual(['CANCELED', []]);
    await eventually(async () => expect((await findRemains(stack, accounts.sql, id)).files).toEqual([]));
    // A second delivery happens only if the receiver's response may have been lost, and repeats the same event.
    expect(new Set(events().map(({ raw }) => raw.toString())).size).toBe(1);
    expect(events()[0]!.event.type).toBe('artwork.canceled');
  }
  expect(await accounts.entries(key, id)).toEqual(['release 10', 'reserve -10']);
}

/** Waits until a worker runs the artwork's call. */
function untilCalled({ id }: Made): Promise<void> {
  return eventually(async () => {
    const { raw } = await temporal.client.workflow.getHandle(id).describe();
    expect(raw.pendingActivities?.map(({ activityType }) => activityType?.name)).toEqual(['perform']);
    expect(raw.pendingActivities?.[0]?.lastStartedTime).not.toBeNull();
  });
}

const both: readonly Act[] = ['cancel', 'delete'];

/** The first statement of a transaction about an artwork. */
const lock: Point = { statement: /for update/, hold: 'statement' };
const commit = { statement: /commit/, hold: 'statement' } as const;
const committed = { statement: /commit/, hold: 'response' } as const;
const ends = /"finished_at" = /;
const removesImages = /delete from "image"/;
const removesRow = /delete from "artwork"/;

/** Holds each artwork at its point. */
function holdEach(wire: Wire, cases: readonly (readonly [Made, Point])[]) {
  const held = cases.map(([{ id }, point]) => wire.holdAt({ ...point, about: id }));
  return {
    reached: Promise.all(held.map(({ reached }) => reached)).then(() => undefined),
    release: () => held.forEach((one) => one.release()),
  };
}

/**
 * Ends artworks at the wired API, and resolves when each request is held at its point. Starts again with new artworks
 * if a request gets a response before: on a busy machine, a timeout of the API may pass before the last one is held.
 */
async function endUntilHeld(points: readonly (readonly [Act, Point])[]) {
  for (;;) {
    const cases = await Promise.all(points.map(async ([act, point]) => [await make(act, 'hamilton'), point] as const));
    await Promise.all(cases.map(([made]) => untilCalled(made)));
    const { reached, release } = holdEach(wireOfApi, cases);
    // A worker that runs could end an artwork between the API's signal and its transaction, which then changes nothing.
    process.kill(worker.pid, 'SIGSTOP');
    const responses = cases.map(([made]) => end(made, api.url));
    const early = await Promise.race([reached, ...responses]);
    if (early === undefined) return { artworks: cases.map(([made]) => made), responses, release };
    expect(early?.status).toBe(503);
    release();
    process.kill(worker.pid, 'SIGCONT');
    await Promise.all(responses);
  }
}

test('the API is killed after the signal, before its commit and after its commit', async () => {
  const { artworks, responses, release } = await endUntilHeld([
    ['cancel', lock],
    ['cancel', { after: ends, ...commit }],
    ['cancel', { after: ends, ...committed }],
    ['delete', lock],
    ['delete', { after: removesImages, ...commit }],
    ['delete', { after: removesImages, ...committed }],
  ]);
  process.kill(api.pid, 'SIGKILL');
  process.kill(worker.pid, 'SIGCONT');
  expect(await Promise.all(responses)).toEqual(artworks.map(() => null));
  for (const made of artworks) await expectDone(made);
  release();
});

test('the worker is killed in begin, perform and finish, and in the steps after a cancellation and a deletion', async () => {
  const makeBoth = async (operation: 'selena' | 'hamilton') =>
    (await Promise.all(both.map((act) => make(act, operation)))) as [Made, Made];
  // While the worker is stopped, so that each artwork can be held at its point from the start.
  process.kill(worker.pid, 'SIGSTOP');
  const [inBegin, inPerform, inFinish] = [await makeBoth('selena'), await makeBoth('selena'), await makeBoth('selena')];
  const [waking, sending, delivered] = [
    await makeBoth('hamilton'),
    await makeBoth('hamilton'),
    await makeBoth('hamilton'),
  ];
  const beforeSignal = holdEach(wireOfWorker, [
    ...inBegin.map((made) => [made, { statement: /set .*"started_at" = /, hold: 'statement' }] as const),
    ...inPerform.map((made) => [made, { statement: /insert into "call_result"/, hold: 'statement' }] as const),
    ...inFinish.map((made) => [made, { statement: /set .*"finished_at" = /, hold: 'statement' }] as const),
  ]);
  const afterSignal = holdEach(wireOfWorker, [
    // Canceled: before the read of the artwork's end. Deleted: in the purge, after the files.
    [waking[0], lock],
    [waking[1], lock],
    // Canceled: before the delivery. Deleted: in the purge, at the row.
    [sending[0], { statement: /from "delivery"/, hold: 'statement' }],
    [sending[1], { statement: removesRow, hold: 'statement' }],
    // Canceled: just after the delivery. Deleted: after the purge.
    [delivered[0], { statement: /insert into "delivery"/, hold: 'statement' }],
    [delivered[1], { after: removesRow, ...committed }],
  ]);
  process.kill(worker.pid, 'SIGCONT');
  const working = [...waking, ...sending, ...delivered];
  await Promise.all([beforeSignal.reached, ...working.map(untilCalled)]);
  // The worker holds no locks in begin, so these artworks are canceled and deleted before the kill, the others after it.
  await Promise.all([...working, ...inBegin].map(expectAccepted));
  await afterSignal.reached;
  process.kill(worker.pid, 'SIGKILL');
  await Promise.all([...inPerform, ...inFinish].map(expectAccepted));
  await stack.startWorker();
  for (const made of [...working, ...inBegin, ...inPerform, ...inFinish]) await expectDone(made);
  beforeSignal.release();
  afterSignal.release();
});
