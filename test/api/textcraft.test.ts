/** Textcraft through the front door, on the embedded rules: every task, both formats, and how little of it stays. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

let stack: Stack;
let temporal: TemporalClient;
let database: pg.Client;

beforeAll(async () => {
  stack = await startSharedStack();
  temporal = await openTemporal(stack);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await Promise.all([temporal.close(), database.end()]);
  await stack.stop();
});

const post = (body: object, key: string = stack.adminKey) =>
  call(`${stack.baseUrl}/v2/textcraft`, { method: 'POST', key, body });

const text =
  'Lighthouses were built to guide ships along dangerous coasts. Keepers lived in them for months. ' +
  'Most lighthouses are automatic today, and some have become museums or hotels.';

test.each(['rewrite', 'copy', 'summarize'])('%s: text, with usage', async (task) => {
  const { status, body } = await post({ task, prompt: text });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.stringMatching(/^ans_[0-9A-Z]{26}$/),
    text: expect.any(String),
    model: 'local/rules',
    finishReason: 'stop',
    usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
  });
  expect(body['text']).toMatch(/lighthouse/i);
  expect(body['text']).not.toBe(text);
  const { inputTokens, outputTokens } = body['usage'] as Record<string, number>;
  expect(inputTokens).toBeGreaterThan(10);
  expect(outputTokens).toBeGreaterThan(3);
});

test.each(['rewrite', 'copy', 'summarize'])('%s: JSON that parses', async (task) => {
  const { status, body } = await post({ task, prompt: text, format: 'json', instructions: 'short' });
  expect(status).toBe(200);
  expect(Object.keys(JSON.parse(String(body['text'])) as object).length).toBeGreaterThan(0);
});

test.each(['translate', 'freeform'])('%s: refused, with the setting that would change it', async (task) => {
  const answer = await post({ task, prompt: text, instructions: 'into French' });
  expectProblem(answer, 'input_invalid');
  expect(answer.body['message']).toContain('ATELIER_LANGUAGE_URL');
});

test('maxTokens ends a text early, and says so', async () => {
  const { body } = await post({ task: 'rewrite', prompt: `${text} ${text}`, maxTokens: 12 });
  expect(body).toMatchObject({ finishReason: 'length' });
  expect(String(body['text']).length).toBeLessThan(80);
});

test.each([
  [{}, ['/prompt required', '/task required']],
  [{ task: 'sing', prompt: 'a' }, ['/task enum']],
  [{ task: 'copy', prompt: '' }, ['/prompt minLength']],
  [{ task: 'copy', prompt: ' \n' }, ['/prompt pattern']],
  [{ task: 'copy', prompt: 'a'.repeat(4001) }, ['/prompt maxLength']],
  [{ task: 'copy', prompt: 'a', maxTokens: 0 }, ['/maxTokens minimum']],
  [{ task: 'copy', prompt: 'a', temperature: 3 }, ['/temperature maximum']],
  [{ task: 'copy', prompt: 'a', format: 'xml' }, ['/format enum']],
  [{ task: 'copy', prompt: 'a', webhookUrl: 'https://example.com' }, ['/webhookUrl additionalProperties']],
])('%.80j is refused', async (body, failures) => {
  expect(rules(expectProblem(await post(body), 'validation_failed'))).toEqual(failures);
});

test('only the domain textcraft reaches it', async () => {
  const keys = `${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`;
  const make = async (domains: string[]) => {
    const body = { label: 'test', scope: 'generator', domains };
    return (await call(keys, { method: 'POST', key: stack.adminKey, body })).body['apiKey'] as string;
  };
  const request = { task: 'summarize', prompt: text };
  expect((await post(request, await make(['textcraft']))).status).toBe(200);
  expectProblem(await post(request, await make(['artworks-internal', 'style-dna'])), 'insufficient_domain');
});

test('operators see a workflow without a word of it; clients cannot read it, and it is gone in a minute', async () => {
  const secret = 'zanzibar';
  const { body } = await post({ task: 'summarize', prompt: `The ${secret} of the story. ${text}` });
  const id = String(body['id']);
  const handle = temporal.client.workflow.getHandle(id);
  const description = await handle.describe();
  expect(description.type).toBe('answer');
  expect(JSON.stringify((await handle.fetchHistory()).events)).not.toContain(secret);
  expect((await call(`${stack.baseUrl}/v2/artworks/${id}`, { key: stack.adminKey })).status).toBe(404);
  // What ends it early ends what it has kept, too.
  await handle.cancel();
  await handle.result();
  const { rowCount } = await database.query('select from artwork where id = $1', [id]);
  expect(rowCount).toBe(0);
});

test('a client that goes away cancels it', async () => {
  await Promise.all(stack.workers.splice(0).map((worker) => worker.stop()));
  const stop = new AbortController();
  const request = fetch(`${stack.baseUrl}/v2/textcraft`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ task: 'summarize', prompt: text }),
    signal: stop.signal,
  }).catch(() => null);
  const id = await eventually(async () => {
    const { rows } = await database.query<{ id: string }>(`select id from artwork where status = 'STARTING'`);
    if (!rows[0]) throw new Error('not stored yet');
    return rows[0].id;
  });
  stop.abort();
  await request;
  stack.workers.push(await stack.startWorker());
  await temporal.client.workflow.getHandle(id).result();
  const { rowCount } = await database.query('select from artwork where id = $1', [id]);
  expect(rowCount).toBe(0);
});
