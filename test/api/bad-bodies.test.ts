/** Bodies that are invalid as a whole, too complex, or odd but valid; and random bodies, which never cause a 5xx. */
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { call, create } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

const bodied = allEndpoints(await findOperations()).filter(({ body }) => body);
let service: Service;
let artworkId: string;
let keyId: string;

beforeAll(async () => {
  service = await joinService('accepting');
  artworkId = (await create(service, { prompt: 'a fox' })).id;
  const key = { label: 'a', scope: 'generator', domains: ['artworks-internal'] };
  keyId = (await post('/v2/organizations/:orgId/api-keys', key)).body['keyId'] as string;
});

/** Sends a body to a path, whose parameters become ids that exist. */
function send(method: string, path: string, body: unknown) {
  const known = path.replace(':orgId', service.orgId).replace(':keyId', keyId).replace(':id', artworkId);
  return call(`${service.baseUrl}${known}`, { method, key: service.adminKey, body });
}
const post = (path: string, body: unknown) => send('POST', path, body);

test('every endpoint rejects a body that is not an object', async () => {
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

test('rejects a body of too many values or levels before validating them', async () => {
  const deep = (levels: number) => `{"prompt":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`f${index}`, 1])));
  for (const { method, path } of bodied) {
    expect(rules(expectProblem(await send(method, path, many), 'validation_failed'))).toEqual([' size']);
    expect(rules(expectProblem(await send(method, path, deep(20_000)), 'validation_failed'))[0]).toMatch(/ depth$/);
  }
});

test('brackets inside strings are not structure', async () => {
  const instruction = '[{,\\"'.repeat(100_000);
  const image = 'https://example.com/photo.jpg';
  expect(
    rules(expectProblem(await post('/v2/artworks/photo-pilot', { image, instruction }), 'validation_failed')),
  ).toEqual(['/instruction maxLength']);
});

test('a response names at most 100 fields', async () => {
  const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
  expect(expectProblem(await post('/v2/artworks/selena', body), 'validation_failed')).toHaveLength(100);
});

test('the last value of a repeated field counts', async () => {
  const { status, body } = await post('/v2/artworks/selena', '{"prompt":5,"prompt":"a","seed":1,"seed":2}');
  expect(status).toBe(202);
  const { body: artwork } = await call(`${service.baseUrl}/v2/artworks/${String(body['id'])}`, {
    key: service.adminKey,
  });
  expect(artwork['input']).toMatchObject({ prompt: 'a', seed: 2 });
});

test('returns metadata as sent, whatever its names', async () => {
  const metadata = '{"__proto__":"a","constructor":"b","a\\nb":"c","z":"\ufeff\u2028🦊"}';
  const { body } = await post('/v2/artworks/selena', `{"prompt":"a","metadata":${metadata}}`);
  const { body: artwork } = await call(`${service.baseUrl}/v2/artworks/${String(body['id'])}`, {
    key: service.adminKey,
  });
  expect(Object.entries(artwork['metadata'] as object).sort()).toEqual(
    Object.entries(JSON.parse(metadata) as object).sort(),
  );
});

const synchronousPaths = ['/v2/textcraft', '/v2/style-dna/refine-prompt', '/v2/style-dna/generate-style-options'];

test('no random body causes a 5xx', async () => {
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
          // No worker runs, so a valid synchronous request times out.
          if (status === 504) expect(synchronousPaths).toContain(path);
          else expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 20 },
    );
  }
});
