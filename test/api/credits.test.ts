/** Credits through the front door: reserved with the 202, charged by what was made, given back when nothing was. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { listEntries } from '../../store/credits.ts';
import { newId } from '../../store/ids.ts';
import { type Books, openBooks, type TestKey } from '../support/books.ts';
import { call, ended } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../support/photos.ts';
import { priced } from '../support/prices.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import { answer, type OpenAiChat, refusal, startOpenAiChat } from '../upstreams/openai-chat.ts';

let stack: Stack;
let books: Books;
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
  const language = { ATELIER_LANGUAGE_URL: upstream.url, ATELIER_LANGUAGE_MODEL: 'test', ATELIER_ANSWER_TIMEOUT: '5s' };
  stack = await startSharedStack({
    env: { ...prices, ...language },
    workerEntry: 'test/support/half-broken-worker.ts',
  });
  temporal = await openTemporal(stack);
  books = await openBooks(stack);
  contract = await readContract(stack.baseUrl);
});
beforeEach(async () => {
  key = await books.newKey({ credits: 100 });
});
afterAll(async () => {
  await books.expectInOrder();
  await Promise.all([temporal.close(), books.close()]);
  await stack.stop();
  await Promise.all([receiver.close(), upstream.close()]);
});

const boat = { prompt: 'a boat', width: 256, height: 256 };
const post = (path: string, body: object, apiKey = key.apiKey) =>
  call(`${stack.baseUrl}/v2/${path}`, { method: 'POST', key: apiKey, body });
const balance = () => books.balance(key);
const amounts = () => books.entries(key);
const end = (id: unknown): Promise<ArtworkView> => ended({ ...stack, adminKey: key.apiKey }, String(id));

test('reserved with the 202, charged when it has succeeded, and told so in artwork and event', async () => {
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

test('a running artwork has cost nothing yet', async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  const { body } = await post('artworks/selena', boat);
  const { body: running } = await call(`${stack.baseUrl}/v2/artworks/${String(body['id'])}`, { key: key.apiKey });
  expect(running).toMatchObject({ status: 'STARTING', credits: { charged: 0 } });
  expect(await balance()).toBe(88);
  stack.workers.push(await stack.startWorker());
  expect(await end(body['id'])).toMatchObject({ credits: { charged: 12 } });
});

test('a failed one costs nothing', async () => {
  const { body } = await post('artworks/selena', { ...boat, prompt: 'hardcore porn', webhookUrl: receiver.url });
  expect(await end(body['id'])).toMatchObject({ status: 'FAILED', credits: { charged: 0 } });
  const [delivery] = await receiver.until(String(body['id']));
  expect(delivery!.event['credits']).toEqual({ charged: 0 });
  expect(await balance()).toBe(100);
  expect(await amounts()).toEqual(['grant 100', 'release 12', 'reserve -12']);
});

test('models that failed cost nothing while others count', async () => {
  const { body } = await post('artworks/face-refiner', { image: dataUri(await photo('hopper')) });
  expect(await balance()).toBe(79);
  expect(await end(body['id'])).toMatchObject({ status: 'SUCCEEDED', credits: { charged: 14 } });
  expect(await balance()).toBe(86);
});

test('by megapixel: the result counts', async () => {
  // 600×400 becomes 2400×1600.
  const { body } = await post('artworks/upscaling', { image: dataUri(await photo('coffee')), scale: 4 });
  expect(await balance()).toBe(96);
  expect(await end(body['id'])).toMatchObject({ credits: { charged: 4 } });
  // Of an address nobody knows the size before.
  const { status } = await post('artworks/upscaling', { image: 'https://example.com/a.png', scale: 4 });
  expect(status).toBe(202);
  expect(await balance()).toBe(32);
});

test('too few: 402, nothing is stored and nothing started', async () => {
  const since = newId('art');
  const image = dataUri(await photo('coffee'));
  const poor = await books.newKey({ credits: 11 });
  const answers = [
    await post('artworks/selena', boat, poor.apiKey),
    await post('artworks/upscaling', { image: 'https://example.com/a.png', scale: 4 }, poor.apiKey),
    await post('artworks/face-refiner', { image }, poor.apiKey),
    await post('textcraft', { task: 'copy', prompt: 'a boat' }, poor.apiKey),
  ];
  for (const answer of answers) {
    expectProblem(answer, 'insufficient_credits');
    expect(answer.body['message']).toMatch(/can cost \d+ credits, and this API key has 11\.$/);
  }
  contract.check('POST', '/v2/artworks/selena', answers[0]!);
  contract.check('POST', '/v2/textcraft', answers[3]!);
  expect(await books.entries(poor)).toHaveLength(1);
  expect(await startedSince(temporal, stack, since)).toEqual([]);
  expect((await post('artworks/quantum', boat, poor.apiKey)).status).toBe(202);
});

test('many at once never take more than there is', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => post('artworks/selena', boat)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(8).fill(202), ...Array<number>(22).fill(402)]);
  expect(await balance()).toBe(4);
  for (const { status, body } of answers) if (status === 202) await end(body['id']);
  expect(await balance()).toBe(4);
});

test('test keys pay nothing', async () => {
  const tester = await books.newKey({ environment: 'test' });
  const { status, body } = await post('artworks/selena', boat, tester.apiKey);
  expect(status).toBe(202);
  const artwork = await ended({ ...stack, adminKey: tester.apiKey }, String(body['id']));
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', credits: { charged: 0 } });
  expect(await books.entries(tester)).toEqual([]);
  const dry = await post('artworks/selena?dryRun=true', boat, tester.apiKey);
  expect(dry.body['credits']).toEqual({ price: 0, available: 0, sufficient: true });
});

test('an answer: the most is reserved, what was said is charged', async () => {
  upstream.reply(answer('Hello!', { usage: { prompt: 900, completion: 200 } }));
  const { status } = await post('textcraft', { task: 'freeform', prompt: 'Say hello.' });
  expect(status).toBe(200);
  expect(await amounts()).toEqual(['charge -11', 'grant 100', 'release 51', 'reserve -51']);
  expect(await balance()).toBe(89);
});

test('an answer that failed, or that its client did not wait for, costs nothing', async () => {
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

test('what is purged before its end is given back; what was paid stays paid', async () => {
  await Promise.all(stack.apis.splice(0).map((api) => api.stop()));
  const api = await stack.startApi(0, { ATELIER_RETENTION: '1s' });
  const { body } = await post('artworks/selena', { ...boat, width: 2048, height: 2048, numImages: 4 });
  await temporal.client.workflow.getHandle(String(body['id'])).result();
  const { body: second } = await post('artworks/selena', { ...boat, prompt: 'hardcore porn' });
  await temporal.client.workflow.getHandle(String(second['id'])).result();
  const kept = (await listEntries(books.db, key.id, 100)).filter(({ reference }) => reference.startsWith('art_'));
  expect(await balance()).toBe(100 + kept.reduce((sum, { amount }) => sum + amount, 0));
  expect(kept.filter(({ kind }) => kind === 'release')).toHaveLength(2);
  await api.stop();
  stack.apis.push(await stack.startApi());
});

test('a dry run checks and prices, and makes nothing', async () => {
  const since = newId('art');
  const answer = await post('artworks/selena?dryRun=true', { ...boat, promptMode: 'seer', numImages: 4 });
  expect([answer.status, answer.body]).toEqual([
    200,
    { dryRun: true, operation: 'selena', credits: { price: 45, available: 100, sufficient: true } },
  ]);
  contract.check('POST', '/v2/artworks/selena', answer);
  const text = await post('textcraft?dryRun=true', { task: 'copy', prompt: 'a boat' });
  expect(text.body).toEqual({
    dryRun: true,
    operation: 'textcraft',
    credits: { price: 51, available: 100, sufficient: true },
  });
  contract.check('POST', '/v2/textcraft', text);
  const poor = await books.newKey({ credits: 11 });
  const { body } = await post('artworks/selena?dryRun=true', boat, poor.apiKey);
  expect(body['credits']).toEqual({ price: 12, available: 11, sufficient: false });

  expect(rules(expectProblem(await post('artworks/selena?dryRun=true', { prompt: '' }), 'validation_failed'))).toEqual([
    '/prompt minLength',
  ]);
  const narrow = await books.newKey({ domains: ['textcraft'] });
  expectProblem(await post('artworks/selena?dryRun=true', boat, narrow.apiKey), 'insufficient_domain');
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
])('?%s is refused, with what is wrong with the body', async (query, expected) => {
  const fields = expectProblem(await post(`artworks/selena?${query}`, { prompt: '' }), 'validation_failed');
  expect(rules(fields)).toEqual([expected, '/prompt minLength'].sort());
});

test('dryRun=false is no dry run', async () => {
  expect((await post('artworks/selena?dryRun=false', boat)).status).toBe(202);
});
