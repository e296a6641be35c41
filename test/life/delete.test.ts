/** An artwork is deleted at each stage: nothing is left of it, no event is sent, and nothing late brings it back. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { insertArtwork } from '../../store/artworks.ts';
import { isUniqueViolation } from '../../store/database.ts';
import { saveDelivery } from '../../store/deliveries.ts';
import { endAsCanceled } from '../../store/end-artwork.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import { newId } from '../../store/ids.ts';
import { openLinks } from '../../store/links.ts';
import { saveMessage, saveResult } from '../../store/results.ts';
import { openVault } from '../../store/vault.ts';
import { newArtwork } from '../support/artworks.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, birefnet, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { priced } from '../support/prices.ts';
import { expectProblem } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
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
  const price = { base: 10 };
  const prices = await priced({ selena: price, quantum: price, hamilton: price, 'remove-background': price });
  const env = { ...engines, ...prices, ATELIER_WEBHOOK_SCHEDULE: '0s,2s,1h' };
  [stack, receiver] = await Promise.all([
    startSharedStack(timed({ quantum: 0, hamilton: 'embedded' }, env)),
    startReceiver((response, _nth, { path }) => {
      if (!path.endsWith('hang')) response.writeHead(path.endsWith('no') ? 500 : 200).end();
    }),
  ]);
  temporal = await openTemporal(stack);
  accounts = await openAccounts(stack);
});
beforeEach(async () => {
  key = await accounts.newKey({ credits: 25 });
});
afterEach(async () => {
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
const createWithWebhook = async (operation: string, body: object, hook = '') =>
  (await create(client(), { ...body, webhookUrl: receiver.url + hook }, operation)).id;
const request = (path: string, method = 'GET', body?: object) =>
  call(`${stack.baseUrl}/v2/artworks/${path}`, { method, key: key.apiKey, ...(body && { body }) });
const remove = (id: string) => request(id, 'DELETE');
const received = (id: string) => receiver.received.filter(({ event }) => event.id === id).length;

/** Expects that clients cannot read or change the artwork, and that its data is erased. */
async function expectHidden(id: string): Promise<void> {
  for (const [path, method, body] of [
    ['', 'GET'],
    ['/deliveries', 'GET'],
    ['/cancel', 'POST'],
    ['/redeliver', 'POST'],
    ['', 'PATCH', { webhookUrl: receiver.url }],
    ['', 'DELETE'],
  ] as const) {
    expectProblem(await request(id + path, method, body), 'not_found');
  }
  const { rows } = await findRemains(stack, accounts.sql, id);
  // Until the workflow has ended there may be a tombstone, and a job that its provider has not ended yet.
  const { artwork = 0, job = 0, running_call = 0, failed_try = 0, ...others } = rows;
  expect(others).toEqual({});
  expect([artwork, job, running_call, failed_try].every((count) => count <= 1)).toBe(true);
  // A worker that was drawing writes its file, finds the artwork deleted, and removes the file again.
  await eventually(async () => expect((await findRemains(stack, accounts.sql, id)).files).toEqual([]));
  const left = await accounts.sql.query(
    `select input, plan, prompt, metadata, webhook_url, event_body, idempotency_key from artwork where id = $1`,
    [id],
  );
  const blank = { input: {}, plan: null, prompt: null, metadata: {}, webhook_url: null, event_body: null };
  expect([[], [{ ...blank, idempotency_key: null }]]).toContainEqual(left.rows);
}

interface Gone {
  id: string;
  key: TestKey;
  /** Number of events sent before the deletion. */
  events: number;
}
const gone: Gone[] = [];

/** Expects that nothing is left of the artwork except these ledger entries. The last test checks again. */
async function expectGone(id: string, ledger: string[], events: number): Promise<void> {
  const handle = temporal.client.workflow.getHandle(id);
  await handle.result();
  expect((await handle.describe()).status.name).toBe('COMPLETED');
  const { events: history } = await handle.fetchHistory();
  const count = (...types: number[]) => history!.filter(({ eventType }) => types.includes(Number(eventType))).length;
  // No activity was still running at the purge: each scheduled one (10) is completed, failed, timed out or canceled.
  expect(count(12, 13, 14, 16)).toBe(count(10));
  await eventually(async () => expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing));
  expect(await accounts.entries(key, id)).toEqual(ledger);
  gone.push({ id, key, events });
}

const free = ['release 10', 'reserve -10'];
const paid = ['charge -10', ...free];

interface Stage {
  reach(): Promise<string>;
  ledger: string[];
  /** Number of events sent before the deletion. */
  events: number;
}

const stages: Record<string, Stage> = {
  'its provider works on it': {
    async reach() {
      fal.hold();
      const before = fal.counts.reads;
      const id = await createWithWebhook('selena', small);
      await eventually(() => expect(fal.counts.reads).toBeGreaterThan(before));
      return id;
    },
    ...{ ledger: free, events: 0 },
  },
  'the embedded engine draws its images': {
    async reach() {
      const id = await createWithWebhook('hamilton', { ...small, width: 2048, height: 2048, numImages: 4 });
      await eventually(async () => expect((await read(client(), id)).status).toBe('PROCESSING'));
      return id;
    },
    ...{ ledger: free, events: 0 },
  },
  'its event waits for the next attempt': {
    async reach() {
      const id = await createWithWebhook('quantum', small, '/no');
      await receiver.until(id);
      return id;
    },
    ...{ ledger: paid, events: 1 },
  },
  'its receiver hangs': {
    async reach() {
      const id = await createWithWebhook('quantum', small, '/hang');
      await receiver.until(id);
      return id;
    },
    ...{ ledger: paid, events: 1 },
  },
  'it waits for its purge': {
    async reach() {
      const id = await createWithWebhook('remove-background', { image: dataUri(await photo('chelsea')) });
      await receiver.until(id);
      return id;
    },
    ...{ ledger: paid, events: 1 },
  },
};

test.each(Object.entries(stages))('deletes an artwork while %s', async (name, { reach, ledger, events }) => {
  const before = fal.counts.cancels;
  const id = await reach();
  const { images } = await read(client(), id);
  expect((await remove(id)).status).toBe(204);
  await expectHidden(id);
  for (const { url } of images) expect((await fetch(url)).status).toBe(404);
  await expectGone(id, ledger, events);
  await eventually(() => expect(fal.counts.cancels - before).toBe(name.includes('provider') ? 1 : 0));
});

test('an artwork deleted while no worker runs returns 404 immediately, and the next worker cancels its job and purges it', async () => {
  const atProvider = await stages['its provider works on it']!.reach();
  const before = fal.counts.cancels;
  await stack.stopWorkers({ signal: 'SIGKILL' });
  const unbegun = await createWithWebhook('quantum', small);
  for (const id of [atProvider, unbegun]) {
    expect((await remove(id)).status).toBe(204);
    await expectHidden(id);
  }
  expect(await accounts.balance(key)).toBe(25);
  stack.workers.push(await stack.startWorker());
  for (const id of [atProvider, unbegun]) await expectGone(id, free, 0);
  await eventually(() => expect(fal.counts.cancels - before).toBe(1));
});

test('deletes a canceled artwork', async () => {
  const id = await stages['its provider works on it']!.reach();
  await request(`${id}/cancel`, 'POST');
  expect((await remove(id)).status).toBe(204);
  await temporal.client.workflow.getHandle(id).result();
  expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing);
});

test('deletes an artwork whose workflow is lost', async () => {
  const id = await createWithWebhook('quantum', small);
  await ended(client(), id);
  await temporal.client.workflow.getHandle(id).terminate();
  expect((await remove(id)).status).toBe(204);
  expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing);
});

test('a deletion frees the Idempotency-Key and keeps the counts of usage', async () => {
  const headers = { 'idempotency-key': 'order 7' };
  const url = `${stack.baseUrl}/v2/artworks/quantum`;
  const send = () => call<{ id: string }>(url, { method: 'POST', key: key.apiKey, body: small, headers });
  const first = await send();
  await ended(client(), first.body.id);
  expect((await send()).headers.get('idempotency-replayed')).toBe('true');
  await remove(first.body.id);
  const second = await send();
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([202, null]);
  expect(second.body.id).not.toBe(first.body.id);
  await ended(client(), second.body.id);
  await eventually(async () => {
    const { rows } = await accounts.sql.query<{ artworks: string }>(
      'select artworks from usage where key_id = $1 and artworks > 0',
      [key.id],
    );
    expect(rows.reduce((sum, { artworks }) => sum + Number(artworks), 0)).toBe(2);
  });
});

test('concurrent deletions return 204 or 404, and at least one returns 204', async () => {
  const id = await createWithWebhook('quantum', small);
  const responses = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
  const statuses = responses.map(({ status }) => status);
  expect(statuses).toContain(204);
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  await temporal.client.workflow.getHandle(id).result();
  expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing);
});

test('no late write restores a deleted artwork: a row, a result, a text, an end, a delivery attempt', async () => {
  const artwork = newArtwork({ org: stack.orgId, key: key.id, price: 10 });
  const { id } = artwork;
  const now = new Date();
  await insertArtwork(accounts.db, artwork);
  await eraseArtwork(accounts.db, id, now);
  expect(isUniqueViolation(await insertArtwork(accounts.db, artwork).catch((error: unknown) => error))).toBe(true);
  const result = { call: 'image-1', model: 'm', text: 'a text', finishReason: null, usage: null, isPrompt: true };
  expect(await saveResult(accounts.db, id, { ...result, images: [], attempt: 1, startedAt: now }, now)).toBe(false);
  await saveMessage(accounts.db, id, 'image-1', 'words');
  const links = openLinks(openVault(stack.secret), stack.baseUrl);
  expect(await endAsCanceled({ db: accounts.db, links, newId, now: Date.now }, id)).toBeNull();
  const response = { status: 200, error: null, durationMs: 1, nextAt: null };
  await saveDelivery(accounts.db, { artwork: id, attempt: 1, at: now, url: receiver.url, ...response });
  await eraseArtwork(accounts.db, id, now);
  expect(await findRemains(stack, accounts.sql, id)).toEqual({ rows: { artwork: 1 }, files: [] });
  expect(await accounts.balance(key)).toBe(25);
  await accounts.sql.query('delete from artwork where id = $1', [id]);
});

test('deleted artworks send no event and leave no data', async () => {
  const last = gone.at(-1)!;
  // Wait longer than the two seconds until the next delivery attempt of the schedule.
  await eventually(async () => {
    const { closeTime } = await temporal.client.workflow.getHandle(last.id).describe();
    expect(Date.now() - (closeTime?.getTime() ?? Infinity)).toBeGreaterThan(2500);
  });
  for (const { id, events, key } of gone) {
    expect(await findRemains(stack, accounts.sql, id)).toEqual(nothing);
    expect(received(id)).toBe(events);
    const url = `${stack.baseUrl}/v2/artworks/${id}`;
    expectProblem(await call(url, { method: 'DELETE', key: key.apiKey }), 'not_found');
  }
});
