/** Invalid fields: each is named with its rule, all at once. */
import { beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const post = (path: string, body: unknown) =>
  call(`${service.baseUrl}${path.replace(':orgId', service.orgId)}`, { method: 'POST', key: service.adminKey, body });

const families = ['selena', 'quantum', 'hamilton'];
const fox = { prompt: 'a red fox' };
const emoji = '🦊';
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

const accepted: [name: string, fields: object][] = [
  ['a prompt alone', {}],
  ['4000 code points of two units', { prompt: emoji.repeat(4000) }],
  ['the ends of the ranges', { width: 256, height: 2048, seed: 4294967295, numImages: 4 }],
  ['zero as a seed', { seed: 0 }],
  ['metadata at its limits', { metadata: { ...pairs(15), [emoji.repeat(64)]: emoji.repeat(512) } }],
  [
    'metadata with names that JavaScript reserves',
    { metadata: JSON.parse('{"__proto__":"a","constructor":"b","a\\nb":"c"}') as object },
  ],
  ['a webhook address of 2048 characters', { webhookUrl: `https://example.com/${'a'.repeat(2028)}` }],
  ['a webhook address of 2048 code points', { webhookUrl: `https://example.com/${emoji.repeat(2028)}` }],
];
test.each(accepted)('accepts %s', async (_name, fields) => {
  for (const family of families) {
    const response = await post(`/v2/artworks/${family}`, { ...fox, ...fields });
    expect([family, response.status, response.body]).toEqual([family, 202, expect.anything()]);
  }
});

const rejected: [fields: object, ...expected: string[]][] = [
  [{ prompt: undefined }, '/prompt required'],
  [{ prompt: null }, '/prompt type'],
  [{ prompt: 5 }, '/prompt type'],
  [{ prompt: ['a'] }, '/prompt type'],
  [{ prompt: '' }, '/prompt minLength'],
  [{ prompt: ' \n\t\u3000' }, '/prompt pattern'],
  [{ prompt: 'a'.repeat(4001) }, '/prompt maxLength'],
  [{ prompt: emoji.repeat(4001) }, '/prompt maxLength'],
  [{ prompt: 'a\0b' }, '/prompt text'],
  [{ prompt: '\ud83e' }, '/prompt text'],
  [{ prompt: 'a\udd8a' }, '/prompt text'],
  [{ negativePrompt: '' }, '/negativePrompt minLength'],
  [{ negativePrompt: null }, '/negativePrompt type'],
  [{ negativePrompt: 'a'.repeat(4001) }, '/negativePrompt maxLength'],
  [{ promptMode: 'Seer' }, '/promptMode enum'],
  [{ promptMode: null }, '/promptMode enum'],
  [{ style: 'no-such-style' }, '/style enum'],
  [{ style: '' }, '/style enum'],
  [{ aspectRatio: '16x9' }, '/aspectRatio enum'],
  [{ aspectRatio: 1 }, '/aspectRatio enum'],
  [{ width: 512 }, '/height dependentRequired'],
  [{ height: 512 }, '/width dependentRequired'],
  [{ width: 248, height: 512 }, '/width minimum'],
  [{ width: 2056, height: 512 }, '/width maximum'],
  [{ width: 512, height: 257 }, '/height multipleOf'],
  [{ width: '512', height: 512 }, '/width type'],
  [{ width: 512.5, height: 512 }, '/width multipleOf', '/width type'],
  [{ width: -256, height: 0 }, '/height minimum', '/width minimum'],
  [{ width: 512, height: 512, aspectRatio: '1:1' }, '/aspectRatio exclusive', '/aspectRatio exclusive'],
  [{ width: 512, aspectRatio: '1:1' }, '/aspectRatio exclusive', '/height dependentRequired'],
  [{ seed: -1 }, '/seed minimum'],
  [{ seed: 4294967296 }, '/seed maximum'],
  [{ seed: 0.5 }, '/seed type'],
  [{ seed: '7' }, '/seed type'],
  [{ seed: null }, '/seed type'],
  [{ numImages: 0 }, '/numImages minimum'],
  [{ numImages: 5 }, '/numImages maximum'],
  [{ numImages: 1.5 }, '/numImages type'],
  [{ nsfw: 'true' }, '/nsfw type'],
  [{ nsfw: 1 }, '/nsfw type'],
  [{ nsfw: null }, '/nsfw type'],
  [{ outputFormat: 'gif' }, '/outputFormat enum'],
  [{ outputFormat: 'PNG' }, '/outputFormat enum'],
  [{ metadata: null }, '/metadata type'],
  [{ metadata: [] }, '/metadata type'],
  [{ metadata: 'a' }, '/metadata type'],
  [{ metadata: pairs(17) }, '/metadata maxProperties'],
  [{ metadata: { a: 1 } }, '/metadata/a type'],
  [{ metadata: { a: null } }, '/metadata/a type'],
  [{ metadata: { a: { b: 'c' } } }, '/metadata/a type'],
  [{ metadata: { 'a\nb': 5 } }, '/metadata/a\nb type'],
  [{ metadata: { a: 'v'.repeat(513) } }, '/metadata/a maxLength'],
  [{ metadata: { '': 'v' } }, '/metadata/ propertyNames'],
  [{ metadata: { [emoji.repeat(65)]: 'v' } }, `/metadata/${emoji.repeat(65)} propertyNames`],
  [{ metadata: { 'a/b~c': 1 } }, '/metadata/a~1b~0c type'],
  [{ metadata: { a: '\0' } }, '/metadata/a text'],
  [{ metadata: { 'a\0': 'v' } }, '/metadata/a\0 text'],
  [{ Prompt: 'a' }, '/Prompt additionalProperties'],
  [{ 'a/b~c': 1 }, '/a~1b~0c additionalProperties'],
  [{ '': 1 }, '/ additionalProperties'],
  [JSON.parse('{"__proto__":{"nsfw":true}}') as object, '/__proto__ additionalProperties'],
  [{ constructor: 1 }, '/constructor additionalProperties'],
  [
    { prompt: 1, seed: -1, size: 'big', style: 'x' },
    '/prompt type',
    '/seed minimum',
    '/size additionalProperties',
    '/style enum',
  ],
];
test.each(rejected)('rejects %j', async (fields, ...expected) => {
  for (const family of families) {
    // A spread would lose a field named __proto__.
    const body = JSON.stringify(fox)
      .replace('}', `,${JSON.stringify(fields).slice(1)}`)
      .replace(',}', '}');
    const sent = 'prompt' in fields ? JSON.stringify(fields) : body;
    const found = rules(expectProblem(await post(`/v2/artworks/${family}`, sent), 'validation_failed'));
    expect([family, ...new Set(found)]).toEqual([family, ...new Set(expected.sort())]);
  }
});

const addresses = [
  '',
  '/hook',
  'example.com/hook',
  '//example.com/hook',
  'ftp://example.com/hook',
  'https://user:password@example.com/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost:80/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://169.254.169.254/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://metadata.google.internal/',
];
test.each(addresses)('rejects the webhookUrl %p', async (webhookUrl) => {
  const response = await post('/v2/artworks/selena', { ...fox, webhookUrl });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/webhookUrl format']);
});

test('rejects a webhookUrl of another type or that is too long', async () => {
  for (const webhookUrl of [5, null, {}]) {
    const response = await post('/v2/artworks/selena', { ...fox, webhookUrl });
    expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/webhookUrl type']);
  }
  const long = `https://example.com/${'a'.repeat(2029)}`;
  const response = await post('/v2/artworks/selena', { ...fox, webhookUrl: long });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/webhookUrl maxLength']);
});

test('only selena draws a transparent background, and never in a jpeg', async () => {
  const transparent = { ...fox, transparentBackground: true };
  expect((await post('/v2/artworks/selena', { ...transparent, outputFormat: 'webp' })).status).toBe(202);
  expect((await post('/v2/artworks/selena', { ...fox, outputFormat: 'jpeg' })).status).toBe(202);
  const jpeg = await post('/v2/artworks/selena', { ...transparent, outputFormat: 'jpeg' });
  expect(rules(expectProblem(jpeg, 'validation_failed'))).toEqual(['/outputFormat combination']);
  for (const family of ['quantum', 'hamilton']) {
    const response = await post(`/v2/artworks/${family}`, transparent);
    expect(rules(expectProblem(response, 'validation_failed'))).toEqual([
      '/transparentBackground additionalProperties',
    ]);
  }
});

const keys = '/v2/organizations/:orgId/api-keys';
const key = { label: 'shop', scope: 'generator', domains: ['artworks-internal'] };
const secret = '/v2/organizations/:orgId/webhook-secret';
const others: [path: string, body: object, ...expected: string[]][] = [
  [keys, {}, '/domains required', '/label required', '/scope required'],
  [keys, { ...key, label: '' }, '/label minLength'],
  [keys, { ...key, label: ' ' }, '/label pattern'],
  [keys, { ...key, label: emoji.repeat(101) }, '/label maxLength'],
  [keys, { ...key, label: 'a\0' }, '/label text'],
  [keys, { ...key, scope: 'owner' }, '/scope enum'],
  [keys, { ...key, domains: [] }, '/domains minItems'],
  [keys, { ...key, domains: ['*'] }, '/domains/0 enum'],
  [keys, { ...key, domains: ['artworks'] }, '/domains/0 enum'],
  [keys, { ...key, domains: 'studio' }, '/domains type'],
  [keys, { ...key, domains: ['studio', 'studio'] }, '/domains uniqueItems'],
  [keys, { ...key, credits: -1 }, '/credits minimum'],
  [keys, { ...key, credits: 1.5 }, '/credits type'],
  [keys, { ...key, credits: 2147483648 }, '/credits maximum'],
  [keys, { ...key, credits: '5' }, '/credits type'],
  [keys, { ...key, environment: 'prod' }, '/environment enum'],
  [keys, { ...key, expiresAt: 'tomorrow' }, '/expiresAt format'],
  [keys, { ...key, expiresAt: '2999-02-30T00:00:00Z' }, '/expiresAt format'],
  [keys, { ...key, expiresAt: '2999-01-01' }, '/expiresAt format'],
  [keys, { ...key, expiresAt: '2999-12-31T23:59:60Z' }, '/expiresAt future'],
  [keys, { ...key, expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt future'],
  [keys, { ...key, expiresAt: '9999-12-31T23:59:59-23:59' }, '/expiresAt range'],
  [keys, { ...key, expiresAt: '9999-12-31T23:59:59.9999-00:01' }, '/expiresAt range'],
  [keys, { ...key, expiresAt: null }, '/expiresAt type'],
  [keys, { ...key, status: 'active' }, '/status additionalProperties'],
  [secret, { gracePeriodSeconds: -1 }, '/gracePeriodSeconds minimum'],
  [secret, { gracePeriodSeconds: 604801 }, '/gracePeriodSeconds maximum'],
  [secret, { gracePeriodSeconds: 1.5 }, '/gracePeriodSeconds type'],
  [secret, { gracePeriodSeconds: '60' }, '/gracePeriodSeconds type'],
  [secret, { webhookSecret: 'mine' }, '/webhookSecret additionalProperties'],
];
test.each(others)('%s rejects %j', async (path, body, ...expected) => {
  expect(rules(expectProblem(await post(path, body), 'validation_failed'))).toEqual(expected.sort());
});
