/** Bodies on the wire: media types, encodings, sizes; paths and queries that are malformed. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { raw, rawBytes } from '../support/raw.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0 });
});
afterAll(() => stack.stop());

const json = Buffer.from('{"prompt":"a fox"}');
const megabyte = 1024 * 1024;

function post(headers: Record<string, string>, ...body: Uint8Array[]) {
  const authorization = `Bearer ${stack.adminKey}`;
  return raw(stack.baseUrl, {
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
  [{ ...asJson, 'content-encoding': 'gzip' }, gzipSync(json), null],
  [{ ...asJson, 'content-encoding': 'deflate' }, deflateSync(json), null],
  [{ ...asJson, 'content-encoding': 'br' }, brotliCompressSync(json), null],
  [{ ...asJson, 'content-encoding': 'identity' }, json, null],
  [{ ...asJson, 'content-encoding': 'compress' }, json, 'unsupported_media_type'],
  [{ ...asJson, 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(json)), 'unsupported_media_type'],
  [{ ...asJson, 'content-encoding': 'gzip' }, json, 'validation_failed'],
  [{ ...asJson, 'content-encoding': 'gzip' }, gzipSync(json).subarray(0, 20), 'validation_failed'],
  [asJson, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'validation_failed'],
  [asJson, Buffer.from('{"prompt":"\xed\xa0\x80"}', 'latin1'), 'validation_failed'],
  [
    { 'content-type': 'application/json; charset=utf-16' },
    Buffer.from('\ufeff{"prompt":"é"}', 'utf16le'),
    'validation_failed',
  ],
  [
    { 'content-type': 'application/json; charset=utf-16le' },
    Buffer.from('{"prompt":"a"}', 'utf16le'),
    'validation_failed',
  ],
  [{ 'content-type': 'application/json; charset=utf-7' }, Buffer.from('+AHsAfQ-'), 'validation_failed'],
];
test.each(media)('%j', async (headers, body, code) => {
  const answer = await post({ 'content-length': String(body.length), ...headers }, body);
  if (code) expectProblem(answer, code);
  else expect(answer.status).toBe(202);
});

test('a request without a body needs no media type, but a body', async () => {
  expect(rules(expectProblem(await post({}), 'validation_failed'))).toEqual([' required']);
  expect(rules(expectProblem(await post({ ...asJson, 'content-length': '0' }), 'validation_failed'))).toEqual([
    ' required',
  ]);
  const chunked = await post({ ...asJson, 'transfer-encoding': 'chunked' });
  expect(rules(expectProblem(chunked, 'validation_failed'))).toEqual(['/prompt required']);
  const rotate = { method: 'POST', key: stack.adminKey };
  expect((await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/webhook-secret`, rotate)).status).toBe(200);
});

test('a body may come in many pieces', async () => {
  const pieces = Array.from(json, (_, index) => json.subarray(index, index + 1));
  expect((await post(asJson, ...pieces)).status).toBe(202);
});

/** Megabytes that the API has in memory. */
async function memory(): Promise<number> {
  const { pid } = stack.apis[0]!;
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

const spaces = Buffer.alloc(megabyte, ' ');
const large = Array.from({ length: 31 }, () => spaces);

test('texts of 29 MB are refused in no time, and take little memory', async () => {
  const before = await memory();
  const huge = 't'.repeat(29 * megabyte);
  const dots = '.'.repeat(29 * megabyte);
  const key = { label: 'a', scope: 'manager', domains: ['studio'] };
  const bodies: [path: string, body: object, path: string][] = [
    ['/v2/artworks/selena', { prompt: huge }, '/prompt'],
    ['/v2/artworks/selena', { prompt: 'a', webhookUrl: `https://example.com/${huge}` }, '/webhookUrl'],
    ['/v2/artworks/selena', { prompt: 'a', webhookUrl: `https://a${dots}b/` }, '/webhookUrl'],
    ['/v2/artworks/depth-map', { image: `https://a${dots}b/` }, '/image'],
    ['/v2/style-dna/generate', { prompt: 'a', styleDnaId: huge }, '/styleDnaId'],
    ['/v2/artworks/selena', { prompt: 'a', metadata: { a: huge } }, '/metadata/a'],
    ['/v2/artworks/selena', { prompt: 'a', metadata: { [huge]: 'a' } }, '/metadata'],
    ['/v2/artworks/selena', { prompt: 'a', [huge]: 'a' }, ''],
    [`/v2/organizations/${stack.orgId}/api-keys`, { ...key, expiresAt: huge }, '/expiresAt'],
  ];
  for (const [path, body, field] of bodies) {
    const began = Date.now();
    const answer = await call(`${stack.baseUrl}${path}`, { method: 'POST', key: stack.adminKey, body });
    expect(expectProblem(answer, 'validation_failed').map((one) => one.path)).toContain(field);
    expect(Date.now() - began).toBeLessThan(8000);
  }
  expect((await memory()) - before).toBeLessThan(400);
});

test('30 MB are read', async () => {
  const padding = Array.from({ length: 29 }, () => spaces);
  expect((await post(asJson, json, ...padding)).status).toBe(202);
});

test('more is 413, told by its length, found out on the way, or unpacked, and takes no memory', async () => {
  const before = await memory();
  const bomb = gzipSync(Buffer.alloc(300 * megabyte, ' '));
  for (let round = 0; round < 3; round++) {
    expectProblem(await post({ ...asJson, 'content-length': String(31 * megabyte) }, ...large), 'payload_too_large');
    expectProblem(await post(asJson, ...large), 'payload_too_large');
    expectProblem(await post({ ...asJson, 'content-encoding': 'gzip' }, bomb), 'payload_too_large');
  }
  expect((await memory()) - before).toBeLessThan(150);
  expect((await post(asJson, json)).status).toBe(202);
});

test('what is too large is answered at once, not when its end has come', async () => {
  const head = `POST /v2/artworks/selena HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${stack.adminKey}\r\n`;
  const open = `${head}content-type: application/json\r\nconnection: close\r\n`;
  const announced = `${open}content-length: ${40 * megabyte}\r\n\r\n{`;
  const chunk = `${(31 * megabyte).toString(16)}\r\n${' '.repeat(31 * megabyte)}\r\n`;
  const endless = `${open}transfer-encoding: chunked\r\n\r\n${chunk}`;
  for (const bytes of [announced, endless]) expect(await rawBytes(stack.baseUrl, bytes)).toMatch(/^HTTP\/1.1 413 /);
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
])("the malformed path %s is the client's fault", async (path) => {
  const answer = await raw(stack.baseUrl, { path, headers: { authorization: `Bearer ${stack.adminKey}` } });
  expectProblem(
    answer,
    answer.status === 400 ? 'validation_failed' : answer.status === 405 ? 'method_not_allowed' : 'not_found',
  );
});

test.each([
  ['/v2/artworks/%ff', 'not_found'],
  ['/v2/artworks/%ff?a=%ff', 'not_found'],
  ['/artworks/%E0%A4%A/deliveries', 'not_found'],
  ['/v2/organizations/%/api-keys', 'not_found'],
  ['/v2/images/%ff/a', 'not_found'],
] as const)('an id that is malformed, %s, is one that nothing has', async (path, code) => {
  const headers = { authorization: `Bearer ${stack.adminKey}` };
  expectProblem(await raw(stack.baseUrl, { path, headers }), code);
  const isPublic = path.startsWith('/v2/images/');
  expectProblem(await raw(stack.baseUrl, { path }), isPublic ? code : 'invalid_api_key');
  expectProblem(await raw(stack.baseUrl, { method: 'PUT', path, headers }), 'method_not_allowed');
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
])('the query %s changes nothing', async (query) => {
  const answer = await raw(stack.baseUrl, {
    path: `/v2/artworks/selena/styles${query}`,
    headers: { authorization: `Bearer ${stack.adminKey}` },
  });
  expect(answer.status).toBe(200);
});
