/** Texts that were paid for reach the client: through an API that stops, or with an `Idempotency-Key` after it has died. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Artwork } from '../../store/entities.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call, type ServiceResponse } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { priced } from '../support/prices.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { startWire } from '../support/wire.ts';
import { startWiredApi } from '../support/wired-api.ts';
import { completion, type OpenAiChat, refusal, startOpenAiChat } from '../upstreams/openai-chat.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(120_000);

let upstream: OpenAiChat;
let stack: Stack;
let accounts: Accounts;
let temporal: TemporalClient;
let key: TestKey;
/** Part of the prompt, by which the fake model finds the reply. It differs in each test. */
let words: string;

beforeAll(async () => {
  upstream = await startOpenAiChat({ model: 'test-model' });
  const env = {
    ...(await priced({ textcraft: { base: 10 } })),
    ATELIER_LANGUAGE_URL: upstream.url,
    ATELIER_LANGUAGE_MODEL: 'test-model',
    ATELIER_ANSWER_TIMEOUT: '40s',
  };
  stack = await startSharedStack({ apis: 2, env });
  accounts = await openAccounts(stack);
  temporal = await openTemporal(stack);
});
beforeEach(async () => {
  words = randomUUID();
  key = await accounts.newKey({ credits: 100 });
});
afterEach(() => accounts.expectConsistent());
afterAll(async () => {
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
  await upstream.close();
});

interface Options {
  api?: number;
  idempotencyKey?: string | null;
  path?: string;
  more?: object;
}

/** Returns null when the connection was lost. */
function write(options: Options = {}): Promise<ServiceResponse | null> {
  const { api = 0, idempotencyKey = null, path = 'textcraft', more = {} } = options;
  return call(`${stack.baseUrls[api]}/v2/${path}`, {
    method: 'POST',
    key: key.apiKey,
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
    body: { ...(path === 'textcraft' && { task: 'freeform' }), prompt: `Say hello to ${words}.`, ...more },
  }).catch(() => null);
}

const requestsToModel = () =>
  upstream.requests.filter(({ body }) => JSON.stringify(body.messages).includes(words)).length;

/** Lets the model write only when the test says so. */
function holdModel(text = 'Hello!'): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.replyTo(words, { kind: 'late', after: promise, content: text });
  return resolve;
}

const untilModelWrites = () => eventually(() => expect(requestsToModel()).toBe(1));

const expectChargedOnce = async () =>
  expect(await accounts.entries(key)).toEqual(['charge -10', 'grant 100', 'release 10', 'reserve -10']);

const replayed = (response: ServiceResponse | null) => response?.headers.get('idempotency-replayed');

/** Sends a request to refine a prompt, and disconnects at the signal. Then it returns null. */
const refineUntil = (signal: AbortSignal, idempotencyKey: string) =>
  fetch(`${stack.baseUrl}/v2/style-dna/refine-prompt`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ prompt: `Say hello to ${words}.` }),
    signal,
  }).catch(() => null);

test('a request whose row is never stored gets a 503, and its workflow keeps the claim until it can delete it', async () => {
  const wire = await startWire(stack.env['DATABASE_URL'] ?? '');
  const api = await startWiredApi(stack, wire);
  const held = wire.holdAt({ statement: /insert into "artwork"/, hold: 'statement', about: key.id });
  const response = await call(`${api.url}/v2/textcraft`, {
    ...{ method: 'POST', key: key.apiKey, body: { task: 'freeform', prompt: `Say hello to ${words}.` } },
  });
  expectProblem(response, 'unavailable');
  const id = await eventually(async () => {
    const rows = await accounts.db.em().find(Artwork, { key: key.id });
    expect(rows.map(({ status }) => status)).toEqual(['ABANDONED']);
    return rows[0]!.id;
  });
  // The cancellation of a workflow without a row would leave the claim behind.
  await delay(10_000);
  expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
  expect(requestsToModel()).toBe(0);
  held.release();
  api.close();
  await wire.close();
});

test('an API that gets SIGTERM completes a synchronous request and accepts no further one', async () => {
  const release = holdModel();
  const response = write();
  await untilModelWrites();
  const [api] = stack.apis;
  process.kill(api!.pid, 'SIGTERM');
  await eventually(async () => expect(await write({ path: 'artworks/selena?dryRun=true' })).toBeNull());
  await delay(3000);
  release();
  expect(await response).toMatchObject({ status: 200, body: { text: 'Hello!' } });
  expect(await api!.exited).toEqual({ code: 0, signal: null });
  await expectChargedOnce();
  stack.apis[0] = await stack.startApi(0);
});

test('after the death of an API, a repeat at another waits for the running request and gets its text', async () => {
  const release = holdModel();
  const lost = write({ idempotencyKey: 'letter 1' });
  await untilModelWrites();
  const [api] = stack.apis;
  process.kill(api!.pid, 'SIGKILL');
  expect(await lost).toBeNull();
  const repeat = write({ idempotencyKey: 'letter 1', api: 1 });
  await delay(500);
  release();
  const response = await repeat;
  expect(response).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^ans_/), text: 'Hello!' } });
  expect(replayed(response)).toBe('true');
  await api!.exited;
  stack.apis[0] = await stack.startApi(0);
  const again = await write({ idempotencyKey: 'letter 1' });
  expect([again?.status, again?.body]).toEqual([200, response?.body]);
  expect(requestsToModel()).toBe(1);
  await expectChargedOnce();
});

test('a client that disconnects gets the text with a repeat, because its request is not canceled', async () => {
  const release = holdModel();
  const disconnected = new AbortController();
  const lost = refineUntil(disconnected.signal, 'letter 2');
  await untilModelWrites();
  disconnected.abort();
  expect(await lost).toBeNull();
  await delay(1000);
  release();
  const response = await write({ path: 'style-dna/refine-prompt', idempotencyKey: 'letter 2' });
  expect(response?.status).toBe(200);
  expect(replayed(response)).toBe('true');
  expect(requestsToModel()).toBe(1);
});

test('concurrent requests with one key make one text; another request with the key is a mismatch', async () => {
  const release = holdModel();
  const all = Array.from({ length: 6 }, (_, index) => write({ idempotencyKey: 'letter 3', api: index % 2 }));
  await untilModelWrites();
  release();
  const responses = await Promise.all(all);
  expect(responses.map((response) => response?.status)).toEqual(Array(6).fill(200));
  expect(new Set(responses.map((response) => response?.body['id'])).size).toBe(1);
  expect(responses.filter((response) => replayed(response) === 'true')).toHaveLength(5);
  expect(requestsToModel()).toBe(1);
  await expectChargedOnce();
  const other = await write({ idempotencyKey: 'letter 3', more: { maxTokens: 7 } });
  expectProblem(other!, 'idempotency_mismatch');
});

test('a repeat runs a request again that has failed, because no text was kept', async () => {
  upstream.replyTo(words, refusal(400, { message: 'no' }));
  expect((await write({ idempotencyKey: 'letter 4' }))?.status).toBe(502);
  upstream.replyTo(words, completion('Hello at last!'));
  const again = await write({ idempotencyKey: 'letter 4', api: 1 });
  expect(again).toMatchObject({ status: 200, body: { text: 'Hello at last!' } });
  expect(replayed(again)).toBeNull();
  expect(await accounts.balance(key)).toBe(90);
});

test('a repeat runs a request again that has lost its workflow and has expired', async () => {
  const release = holdModel('Hello too late!');
  const disconnected = new AbortController();
  const lost = refineUntil(disconnected.signal, 'letter 6');
  await untilModelWrites();
  const { rows } = await accounts.sql.query<{ id: string }>('select id from artwork where key_id = $1', [key.id]);
  await temporal.client.workflow.getHandle(rows[0]!.id).terminate('an operator was careless');
  await accounts.sql.query('update artwork set expires_at = now() where id = $1', [rows[0]!.id]);
  disconnected.abort();
  expect(await lost).toBeNull();
  upstream.replyTo(words, completion('Hello at last!'));
  const again = await write({ path: 'style-dna/refine-prompt', idempotencyKey: 'letter 6', api: 1 });
  release();
  expect(again?.status).toBe(200);
  expect(JSON.stringify(again?.body)).toContain('Hello at last!');
  expect(replayed(again)).toBeNull();
});

test('a result with a key is kept for ten minutes, and one without for a minute', async () => {
  upstream.replyTo(words, completion('Hello!'));
  const [kept, usual] = [await write({ idempotencyKey: 'letter 5' }), await write()];
  const minutesOf = async (response: ServiceResponse | null) => {
    const handle = temporal.client.workflow.getHandle(String(response?.body['id']));
    const { events } = await handle.fetchHistory();
    const timers = events?.flatMap(({ timerStartedEventAttributes: timer }) => timer?.startToFireTimeout ?? []);
    return timers?.map(({ seconds }) => Number(seconds) / 60);
  };
  // The timer starts just after the end.
  await eventually(async () => expect(await minutesOf(kept)).toEqual([10]));
  await eventually(async () => expect(await minutesOf(usual)).toEqual([1]));
});
