/** Credits over HTTP: reserved with the 202, charged for the results, released when there is none. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { errors } from '../../schemas/errors.ts';
import { faceModels } from '../../schemas/face-models.ts';
import { listEntries } from '../../store/credits.ts';
import { newId } from '../../store/ids.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, ended } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { priced } from '../support/prices.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import { type Stack, startFurtherApi } from '../support/stack.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { instantWorker } from '../support/timed.ts';
import { completion, type OpenAiChat, refusal, startOpenAiChat } from '../upstreams/openai-chat.ts';

let stack: Stack;
let accounts: Accounts;
let temporal: TemporalClient;
let receiver: Receiver;
let upstream: OpenAiChat;
let contract: Contract;
/** A key with 100 credits. */
let key: TestKey;

beforeAll(async () => {
  [upstream, receiver] = await Promise.all([startOpenAiChat(), startReceiver()]);
  const prices = await priced({
    selena: { base: 2, perImage: 10, overrides: [{ when: { promptMode: 'seer' }, base: 5 }] },
    'face-refiner': { perImage: 7 },
    upscaling: { perMegapixel: 1 },
    textcraft: { base: 1, perThousandTokens: 5 },
  });
  const language = {
    ATELIER_LANGUAGE_URL: upstream.url,
    ATELIER_LANGUAGE_MODEL: 'test',
    ATELIER_ANSWER_TIMEOUT: '20s',
  };
  stack = await startSharedStack({
    env: { ...prices, ...language },
    workerEntry: instantWorker,
  });
  temporal = await openTemporal(stack);
  accounts = await openAccounts(stack);
  contract = await readContract(stack.baseUrl);
});
beforeEach(async () => {
  key = await accounts.newKey({ credits: 100 });
});
afterAll(async () => {
  await accounts.expectConsistent();
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await Promise.all([receiver.close(), upstream.close()]);
});

const boat = { prompt: 'a boat', width: 256, height: 256 };
const post = (path: string, body: object, { apiKey = key.apiKey, baseUrl = stack.baseUrl } = {}) =>
  call(`${baseUrl}/v2/${path}`, { method: 'POST', key: apiKey, body });
const balance = () => accounts.balance(key);
const amounts = () => accounts.entries(key);
const end = (id: unknown): Promise<ArtworkView> => ended({ ...stack, adminKey: key.apiKey }, String(id));

test('reserves with the 202 and charges when the artwork succeeds; artwork and event show the charge', async () => {
  const { status, body } = await post('artworks/selena', { ...boat, numImages: 2, webhookUrl: receiver.url });
  expect([status, body['credits']]).toEqual([202, { reserved: 22 }]);
  expect(await balance()).toBe(78);
  const artwork = await end(body['id']);
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', credits: { charged: 22 } });
  const [delivery] = await receiver.until(String(body['id']));
  expect(delivery!.event['credits']).toEqual({ charged: 22 });
  expect(await balance()).toBe(78);
  expect(await amounts()).toEqual(['charge -22', 'grant 100', 'release 22', 'reserve -22']);
});

test('a running artwork has cost nothing yet, and a client that disconnects cancels its synchronous request', async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  const { body } = await post('artworks/selena', boat);
  const { body: running } = await call(`${stack.baseUrl}/v2/artworks/${String(body['id'])}`, { key: key.apiKey });
  expect(running).toMatchObject({ status: 'STARTING', credits: { charged: 0 } });
  expect(await balance()).toBe(88);

  const disconnected = new AbortController();
  const request = fetch(`${stack.baseUrl}/v2/textcraft`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ task: 'summarize', prompt: 'The harbour sleeps.' }),
    signal: disconnected.signal,
  }).catch(() => null);
  const rowOf = (operation: string) =>
    accounts.sql.query<{ id: string }>('select id from artwork where key_id = $1 and operation = $2', [
      key.id,
      operation,
    ]);
  const id = await eventually(async () => {
    const [row] = (await rowOf('textcraft')).rows;
    if (!row) throw new Error('not stored yet');
    return row.id;
  });
  disconnected.abort();
  await request;

  stack.workers.push(await stack.startWorker());
  await temporal.client.workflow.getHandle(id).result();
  expect((await rowOf('textcraft')).rowCount).toBe(0);
  expect(await end(body['id'])).toMatchObject({ credits: { charged: 12 } });
  expect(await balance()).toBe(88);
});

test('a failed artwork costs nothing', async () => {
  const { body } = await post('artworks/selena', { ...boat, prompt: 'hardcore porn', webhookUrl: receiver.url });
  expect(await end(body['id'])).toMatchObject({ status: 'FAILED', credits: { charged: 0 } });
  const [delivery] = await receiver.until(String(body['id']));
  expect(delivery!.event['credits']).toEqual({ charged: 0 });
  expect(await balance()).toBe(100);
  expect(await amounts()).toEqual(['grant 100', 'release 12', 'reserve -12']);
});

const { status: failedStatus, message: failedMessage } = errors.provider_rejected;

test('a model that fails costs nothing and is listed, and the artwork succeeds with the other models', async () => {
  const { body } = await post('artworks/face-refiner', { image: dataUri(await photo('hopper')) });
  expect(await balance()).toBe(79);
  const artwork = await end(body['id']);
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', error: null, errorCode: null, credits: { charged: 14 } });
  expect(artwork.images).toHaveLength(faceModels.length - 1);
  expect(artwork.failures).toEqual([
    {
      model: 'face-clarity',
      errorCode: 'provider_rejected',
      error: { status: failedStatus, message: failedMessage },
    },
  ]);
  expect(await balance()).toBe(86);
});

test('an artwork whose only model fails has failed, without a list of failures', async () => {
  const request = { image: dataUri(await photo('hopper')), model: 'face-clarity' };
  const { body } = await post('artworks/face-refiner', request);
  const artwork = await end(body['id']);
  expect(artwork).toMatchObject({
    ...{ status: 'FAILED', errorCode: 'provider_rejected', credits: { charged: 0 } },
    error: { status: failedStatus, message: failedMessage },
  });
  expect(artwork.failures).toBeUndefined();
});

test('a price per megapixel counts the result', async () => {
  // 600×400 becomes 2400×1600.
  const { body } = await post('artworks/upscaling', { image: dataUri(await photo('coffee')), scale: 4 });
  expect(await balance()).toBe(96);
  expect(await end(body['id'])).toMatchObject({ credits: { charged: 4 } });
  // The size of an image behind a URL is unknown, so the largest is reserved.
  const { status } = await post('artworks/upscaling', { image: 'https://example.com/a.png', scale: 4 });
  expect(status).toBe(202);
  expect(await balance()).toBe(32);
});

test('returns 402 with too few credits, stores nothing and starts nothing', async () => {
  const since = newId('art');
  const image = dataUri(await photo('coffee'));
  const poor = await accounts.newKey({ credits: 11 });
  const responses = [
    await post('artworks/selena', boat, poor),
    await post('artworks/upscaling', { image: 'https://example.com/a.png', scale: 4 }, poor),
    await post('artworks/face-refiner', { image }, poor),
    await post('textcraft', { task: 'copy', prompt: 'a boat' }, poor),
  ];
  for (const response of responses) {
    expectProblem(response, 'insufficient_credits');
    expect(response.body['message']).toMatch(/can cost \d+ credits, and this API key has 11\.$/);
  }
  contract.check('POST', '/v2/artworks/selena', responses[0]!);
  contract.check('POST', '/v2/textcraft', responses[3]!);
  expect(await accounts.entries(poor)).toHaveLength(1);
  expect(await startedSince(temporal, stack, since)).toEqual([]);
  expect((await post('artworks/quantum', boat, poor)).status).toBe(202);
});

test('concurrent requests never reserve more than the balance', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => post('artworks/selena', boat)));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(8).fill(202), ...Array<number>(22).fill(402)]);
  expect(await balance()).toBe(4);
  for (const { status, body } of responses) if (status === 202) await end(body['id']);
  expect(await balance()).toBe(4);
});

test('test keys pay nothing', async () => {
  const tester = await accounts.newKey({ environment: 'test' });
  const { status, body } = await post('artworks/selena', boat, tester);
  expect(status).toBe(202);
  const artwork = await ended({ ...stack, adminKey: tester.apiKey }, String(body['id']));
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', credits: { charged: 0 } });
  expect(await accounts.entries(tester)).toEqual([]);
  const dry = await post('artworks/selena?dryRun=true', boat, tester);
  expect(dry.body['credits']).toEqual({ price: 0, available: 0, sufficient: true });
});

test('a synchronous request reserves the maximum and charges the tokens used', async () => {
  upstream.reply(completion('Hello!', { usage: { prompt: 900, completion: 200 } }));
  const { status } = await post('textcraft', { task: 'freeform', prompt: 'Say hello.' });
  expect(status).toBe(200);
  expect(await amounts()).toEqual(['charge -11', 'grant 100', 'release 51', 'reserve -51']);
  expect(await balance()).toBe(89);
});

test('a synchronous request that fails, or whose client disconnects, costs nothing', async () => {
  upstream.reply(refusal(400, { message: 'no' }));
  const { status } = await post('textcraft', { task: 'freeform', prompt: 'Say hello.' });
  expect(status).toBe(502);
  expect(await balance()).toBe(100);
  upstream.reply({ kind: 'silence' });
  const stop = new AbortController();
  const request = fetch(`${stack.baseUrl}/v2/textcraft`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ task: 'freeform', prompt: 'Say hello.' }),
    signal: stop.signal,
  }).catch(() => null);
  await eventually(async () => expect(await balance()).toBe(49));
  stop.abort();
  await request;
  await eventually(async () => expect(await balance()).toBe(100));
});

test('an artwork purged before its end releases its credits; charges stay', async () => {
  const brief = await startFurtherApi(stack, { ATELIER_RETENTION: '4s', ATELIER_WEBHOOK_SCHEDULE: '0s' });
  // A server that accepts connections and never responds keeps the artwork from ending.
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const image = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/a.png`;
  const { body } = await post('artworks/upscaling', { image, scale: 4 }, brief);
  expect(await balance()).toBe(36);
  await temporal.client.workflow.getHandle(String(body['id'])).result();
  silent.closeAllConnections();
  silent.close();
  const { body: second } = await post('artworks/selena', { ...boat, prompt: 'hardcore porn' }, brief);
  await temporal.client.workflow.getHandle(String(second['id'])).result();
  const kept = (await listEntries(accounts.db, key.id, 100)).filter(({ reference }) => reference.startsWith('art_'));
  expect(await balance()).toBe(100 + kept.reduce((sum, { amount }) => sum + amount, 0));
  expect(kept.filter(({ kind }) => kind === 'release')).toHaveLength(2);
  await brief.stop();
});

test('a dry run validates and prices, and creates nothing', async () => {
  const since = newId('art');
  const response = await post('artworks/selena?dryRun=true', { ...boat, promptMode: 'seer', numImages: 4 });
  expect([response.status, response.body]).toEqual([
    200,
    { dryRun: true, operation: 'selena', credits: { price: 45, available: 100, sufficient: true } },
  ]);
  contract.check('POST', '/v2/artworks/selena', response);
  const text = await post('textcraft?dryRun=true', { task: 'copy', prompt: 'a boat' });
  expect(text.body).toEqual({
    dryRun: true,
    operation: 'textcraft',
    credits: { price: 51, available: 100, sufficient: true },
  });
  contract.check('POST', '/v2/textcraft', text);
  const poor = await accounts.newKey({ credits: 11 });
  const { body } = await post('artworks/selena?dryRun=true', boat, poor);
  expect(body['credits']).toEqual({ price: 12, available: 11, sufficient: false });

  expect(rules(expectProblem(await post('artworks/selena?dryRun=true', { prompt: '' }), 'validation_failed'))).toEqual([
    '/prompt minLength',
  ]);
  const narrow = await accounts.newKey({ domains: ['textcraft'] });
  expectProblem(await post('artworks/selena?dryRun=true', boat, narrow), 'insufficient_domain');
  expect(await startedSince(temporal, stack, since)).toEqual([]);
  expect(await amounts()).toEqual(['grant 100']);
});

test.each([
  ['dryRun=yes', '/dryRun enum'],
  ['dryRun=TRUE', '/dryRun enum'],
  ['dryRun=1', '/dryRun enum'],
  ['dryRun', '/dryRun enum'],
  ['dryRun=true&dryRun=true', '/dryRun enum'],
  ['dryrun=true', '/dryrun name'],
  ['dry_run=true', '/dry_run name'],
])('?%s is rejected together with the errors of the body', async (query, expected) => {
  const fields = expectProblem(await post(`artworks/selena?${query}`, { prompt: '' }), 'validation_failed');
  expect(rules(fields)).toEqual([expected, '/prompt minLength'].sort());
});

test('dryRun=false creates the artwork', async () => {
  expect((await post('artworks/selena?dryRun=false', boat)).status).toBe(202);
});
