/** Textcraft over HTTP, on the embedded rules: every task, both formats, and what remains afterwards. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

let service: Service;
let temporal: TemporalClient;
let database: pg.Client;

beforeAll(async () => {
  service = await joinService('quick');
  temporal = await openTemporal(service);
  database = new pg.Client(service.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await Promise.all([temporal.close(), database.end()]);
});

const post = (body: object, key: string = service.adminKey) =>
  call(`${service.baseUrl}/v2/textcraft`, { method: 'POST', key, body });

const text =
  'Lighthouses were built to guide ships along dangerous coasts. Keepers lived in them for months. ' +
  'Most lighthouses are automatic today, and some have become museums or hotels.';

test.each(['rewrite', 'copy', 'summarize'])('%s returns text and usage', async (task) => {
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

test.each(['rewrite', 'copy', 'summarize'])('%s returns valid JSON', async (task) => {
  const { status, body } = await post({ task, prompt: text, format: 'json', instructions: 'short' });
  expect(status).toBe(200);
  expect(Object.keys(JSON.parse(String(body['text'])) as object).length).toBeGreaterThan(0);
});

test.each(['translate', 'freeform'])('%s is rejected without a language model', async (task) => {
  const response = await post({ task, prompt: text, instructions: 'into French' });
  expectProblem(response, 'input_invalid');
  expect(response.body['message']).toMatch(/language model/);
  expect(response.body['message']).not.toContain('ATELIER_');
});

test('maxTokens ends a text early with finishReason length', async () => {
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
])('rejects %.80j', async (body, failures) => {
  expect(rules(expectProblem(await post(body), 'validation_failed'))).toEqual(failures);
});

test('requires the domain textcraft', async () => {
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const make = async (domains: string[]) => {
    const body = { label: 'test', scope: 'generator', domains };
    return (await call(keys, { method: 'POST', key: service.adminKey, body })).body['apiKey'] as string;
  };
  const request = { task: 'summarize', prompt: text };
  expect((await post(request, await make(['textcraft']))).status).toBe(200);
  expectProblem(await post(request, await make(['artworks-internal', 'style-dna'])), 'insufficient_domain');
});

test('the workflow holds no text, clients cannot read the request, and its row is deleted with the workflow', async () => {
  const secret = 'zanzibar';
  const { body } = await post({ task: 'summarize', prompt: `The ${secret} of the report. ${text}` });
  const id = String(body['id']);
  const handle = temporal.client.workflow.getHandle(id);
  const description = await handle.describe();
  expect(description.type).toBe('answer');
  expect(JSON.stringify((await handle.fetchHistory()).events)).not.toContain(secret);
  expect((await call(`${service.baseUrl}/v2/artworks/${id}`, { key: service.adminKey })).status).toBe(404);
  // Cancelling the workflow deletes the row as well.
  await handle.cancel();
  await handle.result();
  const { rowCount } = await database.query('select from artwork where id = $1', [id]);
  expect(rowCount).toBe(0);
});
