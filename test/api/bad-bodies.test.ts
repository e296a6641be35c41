/** Bodies that are wrong as a whole, too much to look at, or odd but right; and random ones, which never make an error of ours. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const bodied = allEndpoints(await findOperations()).filter(({ body }) => body);
let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0, env: { ATELIER_ANSWER_TIMEOUT: '50ms' } });
});
afterAll(() => stack.stop());

const send = (method: string, path: string, body: unknown) =>
  call(`${stack.baseUrl}${path.replace(':orgId', stack.orgId)}`, { method, key: stack.adminKey, body });
const post = (path: string, body: unknown) => send('POST', path, body);

test('every endpoint refuses what is no object', async () => {
  for (const { method, path } of bodied) {
    for (const body of ['null', '[]', '"text"', '5', 'true', '[{"prompt":"a"}]']) {
      const found = rules(expectProblem(await send(method, path, body), 'validation_failed'));
      expect([path, body, found]).toEqual([path, body, [' type']]);
    }
    for (const body of ['{', '{"a":1', "{'a':1}", '{"a":1}x', 'undefined', '{"a":NaN}', '\u0000', '{"a":"\n"}']) {
      const found = rules(expectProblem(await send(method, path, body), 'validation_failed'));
      expect([path, body, found]).toEqual([path, body, [' json']]);
    }
  }
});

test('a body of too many values or levels is refused before anybody looks at them', async () => {
  const deep = (levels: number) => `{"prompt":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, 1])));
  for (const { method, path } of bodied) {
    expect(rules(expectProblem(await send(method, path, many), 'validation_failed'))).toEqual([' size']);
    expect(rules(expectProblem(await send(method, path, deep(100_000)), 'validation_failed'))[0]).toMatch(/ depth$/);
  }
});

const megabytes = 1024 * 1024;
const hostile: [name: string, text: string][] = [
  ['lists in lists', `${'['.repeat(14 * megabytes)}${']'.repeat(14 * megabytes)}`],
  ['lists that do not end', '['.repeat(28 * megabytes)],
  ['objects in a list', `[${'{},'.repeat(9 * megabytes)}{}]`],
  ['objects in objects', `${'{"a":'.repeat(4 * megabytes)}1${'}'.repeat(4 * megabytes)}`],
  ['empty texts', `["\\"",${'"",'.repeat(9 * megabytes)}""]`],
  ['one field again and again', `{${'"a":1,'.repeat(4 * megabytes)}"a":1}`],
];
test.each(hostile)('28 MB of %s are not taken apart', async (_name, text) => {
  const { adminKey: key, baseUrl } = stack;
  const headers = { 'content-encoding': 'gzip', authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const began = Date.now();
  const response = await fetch(`${baseUrl}/v2/artworks/selena`, { method: 'POST', headers, body: gzipSync(text) });
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as object };
  expect(rules(expectProblem(answer, 'validation_failed'))).toEqual([' size']);
  expect(Date.now() - began).toBeLessThan(4000);
  expect(await peak()).toBeLessThan(900);
});

/** Megabytes that the API has ever had in memory; 0 where the system does not tell. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${stack.apis[0]!.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

test('brackets inside of texts are no structure', async () => {
  const prompt = '[{,\\"'.repeat(100_000);
  expect(rules(expectProblem(await post('/v2/artworks/selena', { prompt }), 'validation_failed'))).toEqual([
    '/prompt maxLength',
  ]);
});

test('an answer names at most 100 fields', async () => {
  const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
  expect(expectProblem(await post('/v2/artworks/selena', body), 'validation_failed')).toHaveLength(100);
});

test('of a field that is sent twice the last one counts', async () => {
  const { status, body } = await post('/v2/artworks/selena', '{"prompt":5,"prompt":"a","seed":1,"seed":2}');
  expect(status).toBe(202);
  const { body: artwork } = await call(`${stack.baseUrl}/v2/artworks/${String(body['id'])}`, { key: stack.adminKey });
  expect(artwork['input']).toMatchObject({ prompt: 'a', seed: 2 });
});

test('metadata comes back as it was sent, whatever its names', async () => {
  const metadata = '{"__proto__":"a","constructor":"b","a\\nb":"c","z":"\ufeff\u2028🦊","":""}'.replace(',"":""', '');
  const { body } = await post('/v2/artworks/selena', `{"prompt":"a","metadata":${metadata}}`);
  const { body: artwork } = await call(`${stack.baseUrl}/v2/artworks/${String(body['id'])}`, { key: stack.adminKey });
  expect(Object.entries(artwork['metadata'] as object).sort()).toEqual(
    Object.entries(JSON.parse(metadata) as object).sort(),
  );
});

const waiting = ['/v2/textcraft', '/v2/style-dna/refine-prompt', '/v2/style-dna/generate-style-options'];

test('no body whatsoever makes an error of ours', async () => {
  for (const { method, path, body: schema, bodyExample } of bodied) {
    const known = Object.fromEntries(
      Object.keys(schema?.properties ?? {}).map((name) => [name, fc.option(fc.jsonValue(), { nil: undefined })]),
    );
    const nearlyValid = fc.record(known).map((fields) => ({ ...(bodyExample as object), ...fields }));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          nearlyValid.map((body) => JSON.stringify(body)),
        ),
        async (body) => {
          const { status } = await send(method, path, body);
          // There is no worker here: a valid question is waited for, and nobody answers.
          if (status === 504) expect(waiting).toContain(path);
          else expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 40 },
    );
  }
});
