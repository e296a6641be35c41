/** An artwork is canceled at each stage: work stops, its provider's job is canceled, credits are released, one event is sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, birefnet, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains } from '../support/remains.ts';
import { priced } from '../support/prices.ts';
import { expectProblem } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;
let fal: UpstreamFake;
let temporal: TemporalClient;
let accounts: Accounts;
let key: TestKey;

beforeAll(async () => {
  fal = await startFal({ apiKey });
  const engines = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal) },
    models: { selena: [flux], 'remove-background': [birefnet] },
  });
  const prices = await priced({
    selena: { base: 10 },
    quantum: { base: 10 },
    hamilton: { base: 10 },
    'style-dna/generate/asset': { base: 10 },
  });
  [stack, receiver] = await Promise.all([
    startSharedStack(
      timed(
        { quantum: 0, hamilton: 'embedded', 'style-dna': 0 },
        { ...engines, ...prices, ATELIER_WEBHOOK_SCHEDULE: '0s,1h' },
      ),
    ),
    startReceiver(),
  ]);
  temporal = await openTemporal(stack);
  accounts = await openAccounts(stack);
});
beforeEach(async () => {
  key = await accounts.newKey({ credits: 25 });
});
afterEach(async () => {
  fal.fail(null);
  fal.release();
  await accounts.expectConsistent();
});
afterAll(async () => {
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await Promise.all([receiver.close(), fal.close()]);
});

const client = () => ({ baseUrl: stack.baseUrl, adminKey: key.apiKey });
const small = { prompt: 'a boat on a lake', width: 256, height: 256 };
const createWithWebhook = (operation: string, body: object) =>
  create(client(), { ...body, webhookUrl: receiver.url }, operation);
const cancel = (id: string, baseUrl = stack.baseUrl) =>
  call<ArtworkView>(`${baseUrl}/v2/artworks/${id}/cancel`, { method: 'POST', key: key.apiKey });

const expectNewPoll = (more = 0) => {
  const before = fal.counts.reads;
  return () => eventually(() => expect(fal.counts.reads).toBeGreaterThan(before + more));
};

/** Functions that bring an artwork to a stage and return its id. */
const stages: Record<string, () => Promise<string>> = {
  async 'its provider works on it'() {
    fal.hold();
    const submitted = expectNewPoll();
    const { id } = await createWithWebhook('selena', small);
    await submitted();
    return id;
  },
  async 'one of its two steps is done, the next at its provider'() {
    fal.hold();
    const submitted = expectNewPoll();
    const styleDnaId = await encodedStyle(accounts.db, { org: stack.orgId, key: key.id });
    const body = { ...small, styleDnaId, backgroundMode: 'transparent', webhookUrl: receiver.url };
    const url = `${stack.baseUrl}/v2/style-dna/generate/asset`;
    const { id } = (await call<{ id: string }>(url, { method: 'POST', key: key.apiKey, body })).body;
    await submitted();
    expect((await findRemains(stack, accounts.sql, id)).files.length).toBeGreaterThan(0);
    return id;
  },
  async 'it waits for a provider that is down'() {
    fal.fail('unavailable');
    const { id } = await createWithWebhook('selena', small);
    await eventually(async () => expect((await read(client(), id)).stage).toBe('waiting for provider'));
    return id;
  },
  async 'the embedded engine draws its images'() {
    const { id } = await createWithWebhook('hamilton', { ...small, width: 2048, height: 2048, numImages: 4 });
    await eventually(async () => expect((await read(client(), id)).status).toBe('PROCESSING'));
    return id;
  },
};

/** Canceled artworks as they were after their event. The last test reads them again. */
const canceled: { artwork: ArtworkView; key: TestKey }[] = [];

async function expectCanceled(id: string): Promise<void> {
  const [first] = await receiver.until(id);
  const artwork = await read(client(), id);
  expect(artwork).toMatchObject({ status: 'CANCELED', images: [], error: null, credits: { charged: 0 } });
  const { type, eventId, timestamp, ...event } = first!.event;
  expect({ type, timestamp }).toEqual({ type: 'artwork.canceled', timestamp: artwork.finishedAt });
  expect(event).toEqual(artwork);
  expect(await accounts.balance(key)).toBe(25);
  expect(await accounts.entries(key, id)).toEqual(['release 10', 'reserve -10']);
  const { rows } = await findRemains(stack, accounts.sql, id);
  expect([rows['artwork'], rows['image']]).toEqual([1, undefined]);
  // The event waits at most half a second for the deletion of the files.
  await eventually(async () => expect((await findRemains(stack, accounts.sql, id)).files).toEqual([]), 2000);
  const handle = temporal.client.workflow.getHandle(id);
  await eventually(async () => {
    const { status, searchAttributes, raw } = await handle.describe();
    expect([status.name, searchAttributes['AtelierStatus']]).toEqual(['RUNNING', ['CANCELED']]);
    expect(raw.pendingActivities ?? []).toEqual([]);
  });
  expectProblem(await cancel(id), 'not_cancelable');
  canceled.push({ artwork, key });
}

test.each(Object.entries(stages))('cancels an artwork while %s', async (name, reach) => {
  const before = fal.counts.cancels;
  const id = await reach();
  const response = await cancel(id);
  expect([response.status, response.body.status]).toEqual([202, 'CANCELED']);
  expect(response.body).toEqual(await read(client(), id));
  await expectCanceled(id);
  await eventually(() => expect(fal.counts.cancels - before).toBe(name.includes('its provider') ? 1 : 0));
});

test('an artwork canceled before a worker begins it ends immediately and sends its event when a worker runs', async () => {
  await stack.stopWorkers();
  const { id } = await createWithWebhook('selena', small);
  const response = await cancel(id);
  expect([response.status, response.body.status, response.body.startedAt]).toEqual([202, 'CANCELED', null]);
  expect(await accounts.balance(key)).toBe(25);
  const before = fal.counts.submissions;
  stack.workers.push(await stack.startWorker());
  await expectCanceled(id);
  expect(fal.counts.submissions).toBe(before);
});

test('a request that waits with Prefer returns the canceled artwork', async () => {
  fal.hold();
  const submitted = expectNewPoll();
  const url = `${stack.baseUrl}/v2/artworks/selena`;
  const headers = { prefer: 'wait=60' };
  const waiting = call<ArtworkView>(url, { method: 'POST', key: key.apiKey, body: small, headers });
  await submitted();
  const { rows } = await accounts.sql.query<{ id: string }>('select id from artwork where key_id = $1', [key.id]);
  await cancel(rows[0]!.id);
  const { status, body } = await waiting;
  expect([status, body.status]).toEqual([200, 'CANCELED']);
});

test('cancelling in the Temporal UI cancels the artwork', async () => {
  const id = await stages['its provider works on it']!();
  await temporal.client.workflow.getHandle(id).cancel();
  await expectCanceled(id);
});

test('returns 409 for an ended artwork and 404 for an unknown one', async () => {
  const { id } = await createWithWebhook('quantum', small);
  const artwork = await ended(client(), id);
  expectProblem(await cancel(id), 'not_cancelable');
  expect(await read(client(), id)).toEqual(artwork);
  expectProblem(await cancel('art_nothing'), 'not_found');
});

test('returns 503 quickly and changes nothing while Temporal is unavailable', async () => {
  const id = await stages['its provider works on it']!();
  const { port, release } = await claimPort(0);
  await stack.startApi(0, { PORT: String(port), TEMPORAL_ADDRESS: '127.0.0.1:9' });
  const baseUrl = `http://127.0.0.1:${port}`;
  const from = performance.now();
  const responses = await Promise.all([
    cancel(id, baseUrl),
    call(`${baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: key.apiKey }),
  ]);
  for (const response of responses) expectProblem(response, 'unavailable');
  expect(performance.now() - from).toBeLessThan(8000);
  expect((await read(client(), id)).status).toBe('PROCESSING');
  fal.release();
  expect((await ended(client(), id)).status).toBe('SUCCEEDED');
  release();
});

test('canceled at the moment of its end: response, artwork, event and ledger agree on one outcome', async () => {
  key = await accounts.newKey({ credits: 10_000 });
  const makeAndEnd = async () => ended(client(), (await createWithWebhook('quantum', small)).id);
  const before = performance.now();
  await Promise.all(Array.from({ length: 6 }, makeAndEnd));
  const usual = performance.now() - before;
  // Moments before, at and after the usual end of six artworks that run at once.
  const moments = Array.from({ length: 60 }, (_, index) => (index / 60) * usual * 1.2);
  const outcomes = new Set<string>();
  const race = async (moment: number) => {
    const { id } = await createWithWebhook('quantum', small);
    await delay(moment);
    const { status } = await cancel(id);
    expect([202, 409]).toContain(status);
    const expected = status === 202 ? 'CANCELED' : 'SUCCEEDED';
    const [first] = await receiver.until(id);
    expect(first!.event).toMatchObject({ type: `artwork.${expected.toLowerCase()}`, status: expected });
    const artwork = await read(client(), id);
    expect([artwork.status, artwork.images.length]).toEqual([expected, status === 202 ? 0 : 1]);
    const entries = status === 202 ? ['release 10', 'reserve -10'] : ['charge -10', 'release 10', 'reserve -10'];
    expect(await accounts.entries(key, id)).toEqual(entries);
    outcomes.add(expected);
  };
  for (let nth = 0; nth < 10; nth++) {
    await Promise.all(moments.filter((_, index) => index % 10 === nth).map(race));
  }
  expect(outcomes).toEqual(new Set(['CANCELED', 'SUCCEEDED']));
});

test('canceled artworks send no second event and leave no files', async () => {
  await delay(1000);
  for (const { artwork, key } of canceled) {
    const { id } = artwork;
    expect(await read({ baseUrl: stack.baseUrl, adminKey: key.apiKey }, id)).toEqual(artwork);
    expect((await findRemains(stack, accounts.sql, id)).files).toEqual([]);
  }
  const events = receiver.received.map(({ event }) => event.id);
  expect(events).toHaveLength(new Set(events).size);
});
