/** An API that is killed, frozen or overtaken during a creation creates one artwork and charges it once, or creates nothing. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Artwork } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';
import { findKey } from '../../store/keys.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call } from '../support/client.ts';
import { findInTables } from '../support/database-texts.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { operator } from '../support/operator.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { storedNames, storedOwners } from '../support/stored-files.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import { endless, timed } from '../support/timed.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';
import { createTestOrganization } from '../support/test-organization.ts';
import { sendPhoto } from '../support/uploads.ts';
import type { TestKey } from '../support/test-key.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';
import { startWiredApi, type WiredApi } from '../support/wired-api.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;
let temporal: TemporalClient;
let accounts: Accounts;
let wire: Wire;
/** The API that the tests kill and freeze. The API of the stack keeps running. */
let api: WiredApi;

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 }, hamilton: { base: 10 } });
  const times = { selena: 0, hamilton: endless };
  [stack, receiver] = await Promise.all([startSharedStack(timed(times, env)), startReceiver()]);
  [wire, temporal, accounts] = await Promise.all([
    startWire(stack.env['DATABASE_URL'] ?? ''),
    openTemporal(stack),
    openAccounts(stack),
  ]);
  api = await startWiredApi(stack, wire);
});
afterEach(() => accounts.expectConsistent());
afterAll(async () => {
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  api.close();
  await Promise.all([wire.close(), receiver.close()]);
});

const points = {
  'before the start': { statement: /"idempotency_key" = /, hold: 'statement' },
  'between start and row': { statement: /insert into "artwork"/, hold: 'statement' },
  'between row and reservation': { statement: /insert into "ledger_entry"/, hold: 'statement' },
  'after the reservation': { statement: /insert into "ledger_entry"/, hold: 'response' },
  'before the commit': { after: /insert into "ledger_entry"/, statement: /commit/, hold: 'statement' },
  'between commit and response': { after: /insert into "ledger_entry"/, statement: /commit/, hold: 'response' },
} satisfies Record<string, Point>;
type PointName = keyof typeof points;

interface Post {
  operation?: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

const keyed: Post = { headers: { 'idempotency-key': 'order 7' } };

/** Returns a request with an image, which the API stores before the row. */
async function withImage(): Promise<Post> {
  return { operation: 'remove-background', body: { image: dataUri(await photo('chelsea')) } };
}

const boat = { prompt: 'a boat', width: 256, height: 256 };

/** Sends the request to one of the APIs. @returns null when the connection was lost */
function send(baseUrl: string, key: TestKey, { operation = 'selena', body = boat, headers = {} }: Post) {
  const url = `${baseUrl}/v2/artworks/${operation}`;
  const complete = { ...body, webhookUrl: receiver.url };
  return call(url, { method: 'POST', key: key.apiKey, body: complete, headers }).catch(() => null);
}

interface Sent {
  point: PointName;
  post: Post;
  /** No other request has the same API key. */
  key: TestKey;
  response: ReturnType<typeof send>;
  /** By `performance.now()`. */
  sentAt: number;
  /** Whether the API has responded with 503. */
  isRejected(): boolean;
  release(): void;
}

/**
 * Sends all requests to the wired API at the same time, and resolves when each is held at its point. The API rejects a
 * request that is held for some seconds, so one that was held too early on a busy machine is sent again, with a new key.
 */
async function sendUntil(posts: readonly (readonly [PointName, Post])[]): Promise<Sent[]> {
  const all = await Promise.all(posts.map(([point, post]) => sendUntilHeld(point, post)));
  for (;;) {
    const early = all.filter(({ isRejected }) => isRejected());
    if (early.length === 0) return all;
    for (const { release } of early) release();
    const again = await Promise.all(early.map(({ point, post }) => sendUntilHeld(point, post)));
    for (const [index, sent] of early.entries()) all.splice(all.indexOf(sent), 1, again[index]!);
  }
}

/**
 * Does `work` while a request is held, and again with a new key if the API rejects the request before the work is done.
 * The caller releases the request.
 * @returns `since`: an id older than those of the request and the work
 */
async function whileHeld<T extends object>(point: PointName, post: Post, work: (sent: Sent) => Promise<T>) {
  for (;;) {
    const since = newId('art');
    const [sent = {} as Sent] = await sendUntil([[point, post]]);
    const working = work(sent);
    working.catch(() => undefined);
    const done = await Promise.race([working, sent.response.then(() => null)]);
    if (done && !sent.isRejected()) return { ...sent, since, done };
    sent.release();
  }
}

async function sendUntilHeld(point: PointName, post: Post): Promise<Sent> {
  for (;;) {
    const key = await accounts.newKey({ credits: 25 });
    const { reached, release } = wire.holdAt({ ...points[point], about: key.id });
    let isRejected = false;
    const sentAt = performance.now();
    const response = send(api.url, key, post).then((early) => {
      isRejected = early?.status === 503;
      return early;
    });
    const early = await Promise.race([reached, response]);
    if (!early) return { point, post, key, response, sentAt, release, isRejected: () => isRejected };
    // On a busy machine, Temporal may not start the workflow in time.
    expect(early.status).toBe(503);
    release();
  }
}

/** Repeats a request at the other API until it is accepted. */
function sendAgain({ key, post }: Pick<Sent, 'key' | 'post'>) {
  return eventually(async () => {
    const response = await send(stack.baseUrl, key, post);
    expect(response?.status).toBe(202);
    return response!;
  });
}

/** Expects that one of all requests with the key was accepted, has succeeded and was charged once. */
async function expectOne(key: TestKey, id: string): Promise<void> {
  await expectNothingLost(stack, receiver, [id]);
  const rows = await accounts.db.em().find(Artwork, { key: key.id, status: { $ne: 'ABANDONED' } });
  expect(rows.map((row) => row.id)).toEqual([id]);
  expect(await accounts.entries(key, id)).toEqual(['charge -10', 'release 10', 'reserve -10']);
  expect(await accounts.entries(key)).toEqual(['charge -10', 'grant 25', 'release 10', 'reserve -10']);
  expect(await accounts.balance(key)).toBe(15);
}

/** Waits until the workflow has claimed the id of a request. @returns the id */
function claimed(key: TestKey): Promise<string> {
  return eventually(async () => {
    const rows = await accounts.db.em().find(Artwork, { key: key.id });
    expect(rows.map(({ status }) => status)).toEqual(['ABANDONED']);
    return rows[0]!.id;
  });
}

/** Expects that the workflow of the only request of the key ends, and that nothing of the request remains. */
async function expectNothing(key: TestKey, id: string): Promise<void> {
  await eventually(async () => {
    expect(await accounts.db.em().find(Artwork, { key: key.id })).toEqual([]);
    expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('COMPLETED');
    expect(await storedNames(stack, id)).toEqual([]);
  });
}

/** Expects that the request of the key left only a claimed id. */
async function expectOnlyClaim(key: TestKey): Promise<void> {
  const id = await claimed(key);
  expect((await temporal.client.workflow.getHandle(id).describe()).type).toBe('artwork');
  const url = `${stack.baseUrl}/v2/artworks/${id}`;
  expect((await call(url, { key: stack.adminKey })).status).toBe(404);
  // The id stays claimed, so that no insert can come too late.
  const { rows } = await accounts.sql.query(
    'select status, input, plan, prompt, webhook_url from artwork where key_id = $1',
    [key.id],
  );
  expect(rows).toEqual([{ status: 'ABANDONED', input: {}, plan: null, prompt: null, webhook_url: null }]);
  expect(receiver.received.filter(({ event }) => event.id === id)).toEqual([]);
  // The workflow removes the image just after it has claimed the id.
  await eventually(async () => expect(await storedNames(stack, id)).toEqual([]));
}

test('killed at each point: a repeated request makes one artwork; without a repetition there is one or none', async () => {
  const all: [PointName, Post][] = (Object.keys(points) as PointName[]).map((point) => [point, keyed]);
  const [between, stored, ...repeated] = await sendUntil([
    ['between start and row', await withImage()],
    ['between commit and response', {}],
    ...all,
  ]);
  process.kill(api.pid, 'SIGKILL');
  for (const { response } of [between!, stored!, ...repeated]) expect(await response).toBeNull();
  for (const sent of repeated) {
    const again = await sendAgain(sent);
    const isStored = sent.point === 'between commit and response';
    expect(again.headers.get('idempotency-replayed')).toBe(isStored ? 'true' : null);
    await expectOne(sent.key, String(again.body['id']));
  }
  const [row] = await accounts.db.em().find(Artwork, { key: stored!.key.id });
  await expectOne(stored!.key, row!.id);
  await expectOnlyClaim(between!.key);
  for (const { release } of [between!, stored!, ...repeated]) release();
  await api.restart();
});

test('frozen at each point: another API takes over the request, and the late writes of the frozen API have no effect', async () => {
  const sent = await sendUntil([
    ['between start and row', keyed],
    ['between row and reservation', keyed],
    ['before the commit', keyed],
    ['between start and row', await withImage()],
  ]);
  const [unrepeated] = sent.splice(-1);
  const { pid } = api;
  process.kill(pid, 'SIGSTOP');
  const responses = await Promise.all(sent.map(sendAgain));
  const id = await claimed(unrepeated!.key);
  process.kill(pid, 'SIGCONT');
  for (const { release } of [...sent, unrepeated!]) release();
  for (const [index, { key, response }] of sent.entries()) {
    const again = responses[index]!;
    const late = await response;
    // The frozen API notices either that its connection is gone or that the other request was first.
    expect([202, 503]).toContain(late?.status);
    if (late?.status === 202) expect(late.body).toEqual(again.body);
    await expectOne(key, String(again.body['id']));
  }
  expect((await unrepeated!.response)?.status).toBe(503);
  await expectNothing(unrepeated!.key, id);
});

test('without a response to its commit, a request without an idempotency key gets a 503, and its artwork is deleted', async () => {
  const { key, response, sentAt, release, done } = await whileHeld(
    'between commit and response',
    { operation: 'hamilton' },
    async ({ key }) => {
      // The server commits a moment after the commit has passed the wire.
      await eventually(async () => expect(await accounts.balance(key)).toBe(15));
      const [row] = await accounts.db.em().find(Artwork, { key: key.id });
      return row!;
    },
  );
  expect((await response)?.status).toBe(503);
  expect(performance.now() - sentAt).toBeLessThan(10_000);
  await expectNothing(key, done.id);
  release();
  expect(await accounts.balance(key)).toBe(25);
  expect(receiver.received.filter(({ event }) => event.id === done.id)).toEqual([]);
});

test('overtaken between start and row: the later request makes the artwork, and the first one gets its response', async () => {
  const { key, response, release, done: second } = await whileHeld('between start and row', keyed, sendAgain);
  expect(second.headers.get('idempotency-replayed')).toBeNull();
  release();
  const late = await response;
  expect([late?.status, late?.headers.get('idempotency-replayed'), late?.body]).toEqual([202, 'true', second.body]);
  await expectOne(key, String(second.body['id']));
});

test('ends the workflow of an overtaken request after its response, when its claim takes too long', async () => {
  const { key, response, release, since, done: second } = await whileHeld('between start and row', keyed, sendAgain);
  const id = String(second.body['id']);
  const claim = wire.holdAt({ ...points['between start and row'], about: key.id });
  release();
  await claim.reached;
  expect([(await response)?.status, (await response)?.body]).toEqual([202, second.body]);
  claim.release();
  await eventually(async () => {
    const [overtaken] = (await startedSince(temporal, stack, since)).filter((started) => started !== id);
    expect((await temporal.client.workflow.getHandle(overtaken!).describe()).status.name).toBe('COMPLETED');
  });
  await expectOne(key, id);
});

test('returns 402 and stores nothing when other requests have used up the credits in the meantime', async () => {
  const { key, response, release, done } = await whileHeld('between start and row', keyed, ({ key }) =>
    Promise.all([sendAgain({ key, post: {} }), sendAgain({ key, post: {} })]),
  );
  release();
  const late = await response;
  expect([late?.status, late?.body['code']]).toEqual([402, 'insufficient_credits']);
  const ids = done.map(({ body }) => String(body['id']));
  await expectNothingLost(stack, receiver, ids);
  expect(await accounts.balance(key)).toBe(5);
  const rows = await accounts.db.em().find(Artwork, { key: key.id, status: { $ne: 'ABANDONED' } });
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
});

/**
 * Starts the erasure of a new organization while an artwork and an upload are held at their rows, then releases them. The
 * API gives up a held row after two seconds; if the erasure takes longer to revoke the key, begins again.
 */
async function eraseWhileHeld() {
  for (;;) {
    const since = newId('art');
    const { orgId } = await createTestOrganization(accounts.db, stack.secret);
    const key = await accounts.newKey({ orgId });
    const statement = /insert into "(artwork|uploaded_file)"/;
    const held = wire.holdAt({ statement, hold: 'statement', about: key.id }, 2);
    const requests = [send(api.url, key, { ...keyed, ...(await withImage()) }), sendPhoto(api.url, key.apiKey)];
    let isEarly = false;
    for (const request of requests) void request.then(() => (isEarly = true));
    await Promise.race([held.reached, ...requests]);
    const erasing = operator(stack.env, '--json', 'organizations', 'erase', orgId, '--confirm', orgId);
    const [stored] = await Promise.all([
      storedOwners(stack),
      eventually(async () => expect(await findKey(accounts.db, orgId, key.id)).toBeNull()),
    ]);
    const isHeld = !isEarly;
    held.release();
    const responses = await Promise.all(requests);
    const erased = await erasing;
    if (isHeld) return { since, orgId, key, stored, responses, erased };
  }
}

test('stores nothing of requests that began before the erasure of their organization and end after it', async () => {
  const { since, orgId, key, stored, responses, erased } = await eraseWhileHeld();
  expect(responses.map((response) => response?.status)).toEqual([401, 401]);
  const { code, stdout } = erased;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { outcome: 'erased', counts: { artworks: 0, uploads: 0 } }]);
  const started = await eventually(async () => {
    const ids = await startedSince(temporal, stack, since);
    expect(ids.map((id) => id.slice(0, 4)).sort()).toEqual(['art_', 'file']);
    return ids;
  });
  // Other test files may store into the same bucket.
  expect(stored).toEqual(expect.arrayContaining(started));
  for (const id of started) {
    await temporal.client.workflow
      .getHandle(id)
      .result()
      .catch(() => undefined);
    expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing);
  }
  // The entry of the erasure itself.
  expect(await findInTables(accounts.sql, [orgId, key.id])).toEqual([`audit_entry: ${orgId}`]);
});
