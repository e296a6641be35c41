/** `Idempotency-Key`: repeated requests create one artwork; another request with the same key is a mismatch. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EncodedStyle } from '../../schemas/style-dna.ts';
import { operator } from '../../store/audit.ts';
import { Style } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';
import { findKey } from '../../store/keys.ts';
import { deleteStyle } from '../../store/styles.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, ended } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { priced } from '../support/prices.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { instantWorker } from '../support/timed.ts';

let stack: Stack;
let accounts: Accounts;
let temporal: TemporalClient;
let receiver: Receiver;
let contract: Contract;
let key: TestKey;
/** The client's idempotency key, which differs in each test. */
let idempotencyKey: string;
let nth = 0;

beforeAll(async () => {
  const prices = await priced({ selena: { base: 10 }, quantum: { base: 10 } });
  [stack, receiver] = await Promise.all([
    startSharedStack({ apis: 2, env: prices, workerEntry: instantWorker }),
    startReceiver(),
  ]);
  temporal = await openTemporal(stack);
  accounts = await openAccounts(stack);
  contract = await readContract(stack.baseUrl);
});
beforeEach(async () => {
  key = await accounts.newKey({ credits: 100 });
  idempotencyKey = `order ${++nth}`;
});
afterAll(async () => {
  await accounts.expectConsistent();
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await receiver.close();
});

const boat = { prompt: 'a boat', width: 256, height: 256 };

interface Options {
  path?: string;
  headers?: Record<string, string>;
  apiKey?: string;
  api?: number;
}

function send(body: unknown, { path = 'artworks/selena', headers = {}, apiKey = key.apiKey, api = 0 }: Options = {}) {
  const url = `${stack.baseUrls[api]}/v2/${path}`;
  return call(url, { method: 'POST', key: apiKey, body, headers: { 'idempotency-key': idempotencyKey, ...headers } });
}

const balance = () => accounts.balance(key);
const artworks = async () =>
  (
    await accounts.sql.query<{ id: string }>(`select id from artwork where key_id = $1 and status <> 'ABANDONED'`, [
      key.id,
    ])
  ).rows;
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed');

test('repeats the first 202 on any process, while the artwork runs and after its end; charges once', async () => {
  const first = await send(boat);
  expect([first.status, replayed(first)]).toEqual([202, null]);
  const again = [await send(boat), await send(boat, { api: 1 })];
  await ended({ ...stack, adminKey: key.apiKey }, String(first.body['id']));
  again.push(await send(boat));
  for (const response of again) {
    expect([response.status, replayed(response), response.body]).toEqual([202, 'true', first.body]);
    expect(response.headers.get('location')).toBe(first.headers.get('location'));
    contract.check('POST', '/v2/artworks/selena', response);
  }
  expect(await artworks()).toHaveLength(1);
  expect(await balance()).toBe(90);
});

test('returns the finished artwork with Prefer: wait, the first time and again', async () => {
  const headers = { prefer: 'wait=30' };
  const first = await send(boat, { headers });
  expect([first.status, first.body['status'], replayed(first)]).toEqual([200, 'SUCCEEDED', null]);
  const again = await send(boat, { headers });
  expect([again.status, replayed(again), again.body]).toEqual([200, 'true', first.body]);
  const accepted = await send(boat);
  expect([accepted.status, accepted.body['status']]).toEqual([202, 'STARTING']);
});

test('returns a failed artwork again: another attempt needs another key', async () => {
  const body = { ...boat, prompt: 'hardcore porn' };
  const first = await send(body, { headers: { prefer: 'wait=30' } });
  expect(first.body['status']).toBe('FAILED');
  expect((await send(body, { headers: { prefer: 'wait=30' } })).body).toEqual(first.body);
});

test('field order, white space and explicit defaults do not change the request', async () => {
  const first = await send({ ...boat, metadata: { b: '2', a: '1' } });
  const others = [
    '{ "height": 256, "width": 256.0, "prompt": "a boat", "metadata": {"a":"1","b":"2"} }',
    { metadata: { a: '1', b: '2' }, nsfw: false, numImages: 1, promptMode: 'servitor', outputFormat: 'png', ...boat },
  ];
  for (const body of others) expect((await send(body)).body).toEqual(first.body);
  // The path without a version is the same path.
  const url = `${stack.baseUrl}/artworks/selena/`;
  const headers = { 'idempotency-key': idempotencyKey };
  const short = await call(url, { method: 'POST', key: key.apiKey, body: others[0], headers });
  expect(short.body).toEqual(first.body);
  expect(await artworks()).toHaveLength(1);
});

test('another request with the same key is a mismatch and creates nothing', async () => {
  await send(boat);
  const others: [unknown, Options?][] = [
    [{ ...boat, prompt: 'a  boat' }],
    [{ ...boat, seed: 1 }],
    [{ ...boat, metadata: { a: '1' } }],
    [{ ...boat, webhookUrl: receiver.url }],
    [{ prompt: 'a boat' }],
    [boat, { path: 'artworks/quantum' }],
    [{ ...boat, prompt: 'another' }, { headers: { prefer: 'wait=30' } }],
  ];
  for (const [body, options] of others) {
    const response = await send(body, options);
    expectProblem(response, 'idempotency_mismatch');
    expect(replayed(response)).toBeNull();
  }
  contract.check('POST', '/v2/artworks/selena', await send({ ...boat, seed: 2 }));
  expect(await artworks()).toHaveLength(1);
  expect(await balance()).toBe(90);
});

test('an idempotency key belongs to one API key', async () => {
  const other = await accounts.newKey({ credits: 100 });
  const first = await send(boat);
  const second = await send({ ...boat, prompt: 'other' }, { apiKey: other.apiKey });
  expect([second.status, replayed(second)]).toEqual([202, null]);
  expect(second.body['id']).not.toBe(first.body['id']);
});

test('a rejected request does not use up its key', async () => {
  expectProblem(await send({ ...boat, prompt: '' }), 'validation_failed');
  await accounts.sql.query('update api_key set credits = 9 where id = $1', [key.id]);
  expectProblem(await send(boat), 'insufficient_credits');
  const dry = await send(boat, { path: 'artworks/selena?dryRun=true' });
  expect(dry.body).toMatchObject({ dryRun: true });
  await accounts.sql.query('update api_key set credits = 10 where id = $1', [key.id]);
  const made = await send({ ...boat, prompt: 'something else' });
  expect([made.status, replayed(made)]).toEqual([202, null]);
  // A repetition needs no credits.
  expect((await send({ ...boat, prompt: 'something else' })).body).toEqual(made.body);
});

test.each([
  ['', 'empty'],
  ['x'.repeat(256), 'too long'],
  ['caf\u00e9', 'not ASCII'],
  ['a\tb', 'a tab'],
])('rejects %j: %s', async (value) => {
  const response = await raw(stack.baseUrl, {
    method: 'POST',
    path: '/v2/artworks/selena',
    headers: {
      authorization: `Bearer ${key.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': value,
    },
    body: [Buffer.from(JSON.stringify(boat))],
  });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/Idempotency-Key header']);
});

test.each(['x', 'x'.repeat(255), `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`, 'two words'])('accepts %s', async (value) => {
  const headers = { 'idempotency-key': value };
  const first = await send(boat, { headers });
  expect(first.status).toBe(202);
  expect((await send(boat, { headers })).body).toEqual(first.body);
});

test.each([
  ['textcraft', { task: 'copy', prompt: 'a boat' }],
  ['style-dna/refine-prompt', { prompt: 'a boat' }],
  ['style-dna/generate-style-options', { prompt: 'a boat' }],
])('%s returns the kept result again, on any process', async (path, body) => {
  const first = await send(body, { path });
  const again = await send(body, { path, api: 1 });
  expect([first.status, replayed(first), again.status, replayed(again)]).toEqual([200, null, 200, 'true']);
  expect(again.body).toEqual(first.body);
  contract.check('POST', `/v2/${path}`, again);
  expectProblem(await send({ ...body, prompt: 'another boat' }, { path }), 'idempotency_mismatch');
  expectProblem(await send(boat), 'idempotency_mismatch');
});

test('compares images inside the request by their content', async () => {
  const path = 'artworks/remove-background';
  const first = await send({ image: dataUri(await photo('chelsea')) }, { path });
  expect((await send({ image: dataUri(await photo('chelsea')) }, { path })).body).toEqual(first.body);
  expectProblem(await send({ image: dataUri(await photo('coffee')) }, { path }), 'idempotency_mismatch');
});

test('a repetition succeeds after its style is deleted', async () => {
  const id = newId('sty');
  const measure = {
    palette: [{ colour: '#334455', share: 1 }],
    light: { brightness: 0.5, contrast: 0.5, warmth: 0.5 },
    colour: { saturation: 0.5, variety: 0.5 },
    texture: { grain: 0.5, edges: 0.5, scale: 0.5 },
  };
  const dna: EncodedStyle = { version: 1, source: 'images', measure, words: { summary: 'Blue.', keywords: ['blue'] } };
  await accounts.db.em().insert(Style, { id, org: stack.orgId, key: key.id, name: 'blue', dna, createdAt: new Date() });
  const body = { styleDnaId: id, ...boat };
  const first = await send(body, { path: 'style-dna/generate' });
  expect(first.status).toBe(202);
  await deleteStyle(accounts.db, (await findKey(accounts.db, stack.orgId, key.id))!, id, new Date(), operator);
  const again = await send(body, { path: 'style-dna/generate' });
  expect([again.status, replayed(again), again.body]).toEqual([202, 'true', first.body]);
  expectProblem(await send(body, { path: 'style-dna/generate/asset' }), 'idempotency_mismatch');
});

test('the stored key is a digest and is deleted with its artwork', async () => {
  const first = await send(boat);
  const { rows } = await accounts.sql.query<Record<string, Buffer>>(
    'select idempotency_key, request_digest from artwork where id = $1',
    [first.body['id']],
  );
  expect(Object.values(rows[0]!).map(({ length }) => length)).toEqual([32, 32]);
  await ended({ ...stack, adminKey: key.apiKey }, String(first.body['id']));
  await accounts.sql.query('delete from artwork where id = $1', [first.body['id']]);
  const second = await send({ ...boat, seed: 5 });
  expect([second.status, replayed(second)]).toEqual([202, null]);
});

/** Repeats the request while the service is unavailable, as clients do. */
function sendUntilHandled(body: object, api: number) {
  return eventually(async () => {
    const response = await send(body, { api });
    expect(response.status).not.toBe(503);
    return response;
  });
}

test('50 concurrent requests to two processes create one artwork, one charge and one event', async () => {
  const since = newId('art');
  const body = { ...boat, webhookUrl: receiver.url };
  const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => sendUntilHandled(body, index % 2)));
  expect([...new Set(responses.map(({ status }) => status))]).toEqual([202]);
  expect(responses.filter((response) => replayed(response) === null)).toHaveLength(1);
  const [id, ...others] = [...new Set(responses.map((response) => String(response.body['id'])))];
  expect(others).toEqual([]);
  expect(await ended({ ...stack, adminKey: key.apiKey }, id!)).toMatchObject({ credits: { charged: 10 } });
  expect(await accounts.entries(key)).toEqual(['charge -10', 'grant 100', 'release 10', 'reserve -10']);
  await receiver.until(id!);
  // The workflows without a row end.
  await eventually(async () => {
    const started = await startedSince(temporal, stack, since);
    expect(started).toContain(id);
    for (const other of started.filter((one) => one !== id)) {
      const { status } = await temporal.client.workflow.getHandle(other).describe();
      expect(status.name).toBe('COMPLETED');
    }
  }, 50_000);
  expect(await artworks()).toEqual([{ id }]);
  expect(receiver.received).toHaveLength(1);
  expect(await balance()).toBe(90);
});
