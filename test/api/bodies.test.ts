/** Bodies on the wire: media types and encodings; malformed paths and queries. */
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const json = Buffer.from('{"prompt":"a fox"}');

function post(headers: Record<string, string>, ...body: Uint8Array[]) {
  const authorization = `Bearer ${service.adminKey}`;
  return raw(service.baseUrl, {
    method: 'POST',
    path: '/v2/artworks/selena',
    headers: { authorization, ...headers },
    body,
  });
}

const asJson = { 'content-type': 'application/json' };
const media: [headers: Record<string, string>, body: Uint8Array, code: ErrorCode | null][] = [
  [asJson, json, null],
  [{ 'content-type': 'application/json; charset=utf-8' }, json, null],
  [{ 'content-type': 'application/JSON;charset="UTF-8"' }, json, null],
  [{ 'content-type': 'application/vnd.api+json' }, json, null],
  [{}, json, 'unsupported_media_type'],
  [{ 'content-type': '' }, json, 'unsupported_media_type'],
  [{ 'content-type': 'nonsense' }, json, 'unsupported_media_type'],
  [{ 'content-type': 'text/plain' }, json, 'unsupported_media_type'],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, Buffer.from('prompt=a'), 'unsupported_media_type'],
  [{ 'content-type': 'multipart/form-data; boundary=x' }, Buffer.from('--x--'), 'unsupported_media_type'],
  [{ 'content-type': 'application/json; charset=latin1' }, json, 'unsupported_media_type'],
  // Reading its white space would take quadratic time.
  [{ 'content-type': `application/json;charset="utf-8"${' '.repeat(8000)}x` }, json, 'unsupported_media_type'],
  [{ ...asJson, 'content-encoding': 'gzip' }, gzipSync(json), 'unsupported_media_type'],
  [{ ...asJson, 'content-encoding': 'gzip' }, json, 'unsupported_media_type'],
  [{ ...asJson, 'content-encoding': 'identity' }, json, null],
  [{ ...asJson, 'content-encoding': 'Identity' }, json, null],
  [{ ...asJson, 'content-encoding': '' }, json, null],
  [asJson, Buffer.concat([Buffer.from('\ufeff'), json]), null],
  [asJson, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'validation_failed'],
  [asJson, Buffer.from('{"prompt":"\xed\xa0\x80"}', 'latin1'), 'validation_failed'],
  [
    { 'content-type': 'application/json; charset=utf-16' },
    Buffer.from('\ufeff{"prompt":"é"}', 'utf16le'),
    'unsupported_media_type',
  ],
  [
    { 'content-type': 'application/json; charset=utf-16le' },
    Buffer.from('{"prompt":"a"}', 'utf16le'),
    'unsupported_media_type',
  ],
  [{ 'content-type': 'application/json; charset=utf-7' }, Buffer.from('+AHsAfQ-'), 'unsupported_media_type'],
];
test.each(media)('accepts or rejects a body by its headers: %j', async (headers, body, code) => {
  const response = await post({ 'content-length': String(body.length), ...headers }, body);
  if (code) expectProblem(response, code);
  else expect(response.status).toBe(202);
});

test('a request without a body needs no media type; a missing required body is a validation error', async () => {
  expect(rules(expectProblem(await post({}), 'validation_failed'))).toEqual([' required']);
  expect(rules(expectProblem(await post({ ...asJson, 'content-length': '0' }), 'validation_failed'))).toEqual([
    ' required',
  ]);
  const chunked = await post({ ...asJson, 'transfer-encoding': 'chunked' });
  expect(rules(expectProblem(chunked, 'validation_failed'))).toEqual(['/prompt required']);
  const rotate = { method: 'POST', key: service.adminKey };
  expect((await call(`${service.baseUrl}/v2/organizations/${service.orgId}/webhook-secret`, rotate)).status).toBe(200);
});

test('a body may arrive in many pieces', async () => {
  const pieces = Array.from(json, (_, index) => json.subarray(index, index + 1));
  expect((await post(asJson, ...pieces)).status).toBe(202);
});

test.each([
  '/v2/artworks/%',
  '/v2/artworks/%E0%A4%A',
  '/v2/artworks/%FF/deliveries',
  '/v2/images/%zz/a',
  '/v2/organizations/%c0%af/api-keys',
  '/%E0%A4%A',
  '/v2/artworks/%ff',
  '/v2/artworks/%2',
])('returns a 4xx for the malformed path %s', async (path) => {
  const response = await raw(service.baseUrl, { path, headers: { authorization: `Bearer ${service.adminKey}` } });
  expectProblem(
    response,
    response.status === 400 ? 'validation_failed' : response.status === 405 ? 'method_not_allowed' : 'not_found',
  );
});

test.each([
  ['/v2/artworks/%ff', 'not_found'],
  ['/v2/artworks/%ff?a=%ff', 'not_found'],
  ['/artworks/%E0%A4%A/deliveries', 'not_found'],
  ['/v2/organizations/%/api-keys', 'not_found'],
  ['/v2/images/%ff/a', 'not_found'],
] as const)('treats the malformed id in %s as an unknown id', async (path, code) => {
  const headers = { authorization: `Bearer ${service.adminKey}` };
  expectProblem(await raw(service.baseUrl, { path, headers }), code);
  const isPublic = path.startsWith('/v2/images/');
  expectProblem(await raw(service.baseUrl, { path }), isPublic ? code : 'invalid_api_key');
  expectProblem(await raw(service.baseUrl, { method: 'PUT', path, headers }), 'method_not_allowed');
});

test.each([
  '?',
  '?&&&',
  '?a[b]=c',
  '?a[]=1&a[]=2',
  '?__proto__=x',
  '?a=%',
  '?%00=%00',
  '?=&=',
  `?${'a&'.repeat(3000)}`,
])('ignores the query %s', async (query) => {
  const response = await raw(service.baseUrl, {
    path: `/v2/artworks/selena/styles${query}`,
    headers: { authorization: `Bearer ${service.adminKey}` },
  });
  expect(response.status).toBe(200);
});
