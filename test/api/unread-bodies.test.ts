/** Bodies that are rejected by their headers or for an unknown id are not read, and the connection stays in step. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { announceBody } from '../support/announced-body.ts';
import { call, create } from '../support/client.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

const bodied = allEndpoints(await findOperations()).filter(({ body, takesFile }) => body || takesFile);
const megabyte = 1024 * 1024;
const textLimit = 65_536;

let api: FurtherApi;
let artworkId: string;
let keyId: string;

beforeAll(async () => {
  api = await startFurtherApi(await joinService('accepting'), {});
  artworkId = (await create(api, { prompt: 'a fox' })).id;
  const body = { label: 'a', scope: 'generator', domains: ['artworks-internal'] };
  const keys = `${api.baseUrl}/v2/organizations/${api.orgId}/api-keys`;
  keyId = (await call(keys, { method: 'POST', key: api.adminKey, body })).body['keyId'] as string;
});
afterAll(() => api.stop());

/** Returns a path to things that exist. */
const pathOf = (path: string) => path.replace(':orgId', api.orgId).replace(':keyId', keyId).replace(':id', artworkId);
const typeOf = (takesFile = false) => (takesFile ? 'image/png' : 'application/json');
const headers = (more: Record<string, string>) => ({ authorization: `Bearer ${api.adminKey}`, ...more });

/** Returns the response to the headers of a request that announces a body. */
const announce = (line: string, more: Record<string, string>) =>
  announceBody(api.baseUrl, [
    `${line} HTTP/1.1`,
    ...Object.entries(headers(more)).map(([name, value]) => `${name}: ${value}`),
  ]);

/** Returns the peak memory of the API in megabytes; 0 on systems without `/proc`. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${api.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

test('rejects compressed bodies on every route, without decompressing them', async () => {
  const text = Buffer.from(`{"prompt":"${'a'.repeat(29 * megabyte)}"}`);
  const bomb = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  expect(bomb.length).toBeLessThan(200);
  const before = await peak();
  for (const { method, path, takesFile } of bodied) {
    const more = headers({ 'content-type': typeOf(takesFile), 'content-encoding': 'br' });
    const response = await raw(api.baseUrl, { method, path: pathOf(path), headers: more, body: [bomb] });
    expectProblem(response, 'unsupported_media_type');
    const message = expect.stringContaining('Send the body uncompressed');
    expect([path, response.body]).toEqual([path, expect.objectContaining({ message })]);
  }
  // Decompressed one after the other, they would take 29 MB each and more.
  expect((await peak()) - before).toBeLessThan(100);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP, identity', gzipSync],
  ['zstd', gzipSync],
] as const)('rejects the encoding %s, however small the body is', async (encoding, compress) => {
  const more = headers({ 'content-type': 'application/json', 'content-encoding': encoding });
  const body = [compress(Buffer.from('{"prompt":"a fox"}'))];
  expectProblem(
    await raw(api.baseUrl, { method: 'POST', path: '/v2/artworks/selena', headers: more, body }),
    'unsupported_media_type',
  );
});

test('sends 100 Continue for a body of up to 64 KB, or 30 MB with an image field, and 413 for a larger one', async () => {
  for (const { method, path, body } of bodied.filter(({ takesFile }) => !takesFile)) {
    const takesImages = JSON.stringify(body).includes('"image-source"');
    const limit = takesImages ? 30 * megabyte : textLimit;
    const results = [limit, limit + 1].map(async (bytes) => {
      const more = { 'content-type': 'application/json', 'content-length': String(bytes) };
      const { status, response, socket } = await announce(`${method} ${pathOf(path)}`, more);
      socket.destroy();
      return [status, /"message":"(.*?)"/.exec(response)?.[1]];
    });
    const message = expect.stringContaining(takesImages ? 'larger than 30 MB' : 'larger than 64 KB');
    expect([path, ...(await Promise.all(results))]).toEqual([path, [100, undefined], [413, message]]);
  }
});

test('rejects more than 64 KB of unknown length, and says that escapes can be avoided', async () => {
  const prompt = '\\ud83e\\udd8a'.repeat(4000);
  const body = [Buffer.from(`{"task":"rewrite","prompt":"${prompt}",`), Buffer.from(`"instructions":"${prompt}"}`)];
  const more = headers({ 'content-type': 'application/json' });
  const response = await raw(api.baseUrl, { method: 'POST', path: '/v2/textcraft', headers: more, body });
  expectProblem(response, 'payload_too_large');
  expect(response.body).toMatchObject({ message: expect.stringContaining(String.raw`as UTF-8 instead of \u escapes`) });
  // The same text without escapes is accepted, and times out because no worker runs.
  const unescaped = body.map((part) => Buffer.from(part.toString().replaceAll('\\ud83e\\udd8a', '🦊')));
  const accepted = await raw(api.baseUrl, { method: 'POST', path: '/v2/textcraft', headers: more, body: unescaped });
  expect(accepted.status).toBe(504);
});

test.each([
  ['PATCH', '/v2/artworks/art_00000000000000000000000000'],
  ['PATCH', '/v2/organizations/:orgId/api-keys/key_00000000000000000000000000'],
  ['PATCH', '/v2/organizations/org_unknown/api-keys/key_00000000000000000000000000'],
  ['POST', '/v2/organizations/org_unknown/api-keys'],
  ['POST', '/v2/organizations/org_unknown/webhook-secret'],
])('%s %s returns 404 for an unknown id before the body is sent', async (method, path) => {
  const more = { 'content-type': 'application/json', 'content-length': '60000' };
  const { status, response } = await announce(`${method} ${pathOf(path)}`, more);
  expect([status, response]).toEqual([404, expect.stringMatching(/^Connection: close\r$/m)]);
});

test.each([
  ['sends 100 Continue for a valid request', {}, [100, 202]],
  ['sends no 100 Continue for a compressed body', { 'content-encoding': 'br' }, [415]],
  ['sends no 100 Continue without a valid key', { authorization: 'Bearer atl_no' }, [401]],
])('%s', async (_name, more, statuses) => {
  const json = '{"prompt":"a fox"}';
  const length = { 'content-type': 'application/json', 'content-length': String(json.length) };
  const announced = await announce('POST /v2/artworks/selena', { ...length, ...more });
  const found = [announced.status];
  if (announced.status === 100) {
    announced.socket.write(json);
    const data = await new Promise<string>((resolve) => announced.socket.once('data', resolve));
    found.push(Number(data.split(' ')[1]));
  }
  announced.socket.destroy();
  expect(found).toEqual(statuses);
});

test.each([
  ['compressed', 'POST /v2/artworks/selena', 'Content-Encoding: br', 200],
  ['too large', 'POST /v2/artworks/selena', 'X: y', textLimit + 1],
  ['for an unknown id', 'PATCH /v2/artworks/art_unknown', 'X: y', 200],
])(
  'the next request on the connection of a body that is %s gets its own response',
  async (_name, line, header, bytes) => {
    const { hostname, port } = new URL(api.baseUrl);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    const key = `Host: a\r\nAuthorization: Bearer ${api.adminKey}\r\n`;
    const head = `${line} HTTP/1.1\r\n${key}Content-Type: application/json\r\n${header}\r\nContent-Length: ${bytes}\r\n\r\n`;
    // Read as a request, this body would be one that returns 405.
    const body = 'DELETE / HTTP/1.1\r\nHost: a\r\n\r\n'.padEnd(bytes);
    socket.write(`${head}${body}GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    let received = '';
    socket.on('data', (data: string) => (received += data));
    await new Promise((resolve) => socket.once('close', resolve));
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([expect.any(Number), 200]);
    expect([404, 413, 415]).toContain(statuses[0]);
  },
);
