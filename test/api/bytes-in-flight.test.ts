/** The bytes of bodies in progress are limited per key, per organization and per process, and released however a body ends. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Announced, announceBody } from '../support/announced-body.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

const megabyte = 1024 * 1024;
/** The largest body. Two of them fit for a key, three for an organization and five for a process. */
const largest = 30 * megabyte;

let api: FurtherApi;
let open: Announced[] = [];

beforeAll(async () => {
  // No other test file uses this process, so that the limit of the process holds for these tests alone.
  api = await startFurtherApi(await joinService('accepting'), {});
});
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  open = [];
  await expectAllReleased();
});
afterAll(() => api.stop());

const path = '/v2/artworks/depth-map';

/** Announces a body that stays in progress until the test ends. */
async function begin(key: string, bytes = largest): Promise<Announced> {
  const announced = await announceBody(api.baseUrl, [
    `POST ${path} HTTP/1.1`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ]);
  open.push(announced);
  return announced;
}

const statusesOf = (announced: Announced[]) => announced.map(({ status }) => status);

/** Two largest bodies of the key fit again, with less than 5 MB to spare. */
async function expectAllReleased(key = api.adminKey): Promise<void> {
  await eventually(async () => {
    const bodies = [await begin(key), await begin(key)];
    for (const { socket } of bodies) socket.destroy();
    expect(statusesOf(bodies)).toEqual([100, 100]);
  });
}

async function makeKey(): Promise<string> {
  const url = `${api.baseUrl}/v2/organizations/${api.orgId}/api-keys`;
  const body = { label: 'a', scope: 'generator', domains: ['artworks-internal'] };
  return (await call(url, { method: 'POST', key: api.adminKey, body })).body['apiKey'] as string;
}

const json = Buffer.from('{"image":"https://example.com/photo.jpg"}');
const spaces = Buffer.alloc(megabyte, ' ');
/** Sends `body` and `padding` megabytes of white space. Unless `headers` contain its length, it is not announced. */
const post = (padding: number, headers: Record<string, string> = {}, key = api.adminKey, body = json) =>
  raw(api.baseUrl, {
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: [body, ...Array.from({ length: padding }, () => spaces)],
  });

test('a body over the limit of its key gets 429 before it is sent; a small one is accepted', async () => {
  expect(statusesOf([await begin(api.adminKey), await begin(api.adminKey)])).toEqual([100, 100]);
  const { status, response } = await begin(api.adminKey);
  expect([status, response]).toEqual([429, expect.stringMatching(/^Retry-After: \d+\r$/m)]);
  expect(response).toMatch(/"message":"The request bodies of this API key that are in progress would exceed 64 MB\./);
  expect((await post(0)).status).toBe(202);
});

test('counts a body of unknown length while it arrives, and counts no more of it than has arrived', async () => {
  await Promise.all([begin(api.adminKey), begin(api.adminKey)]);
  const rejected = await post(8);
  expectProblem(rejected, 'rate_limited');
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await post(3)).status).toBe(202);
});

test('releases a body when its request ends, and accepts as many again', async () => {
  for (let round = 0; round < 8; round++) expect((await post(20)).status).toBe(202);
});

test.each([
  ['invalid', () => post(20, {}, api.adminKey, Buffer.from('{')), 400],
  ['too large', () => post(31), 413],
  ['compressed', () => post(20, { 'content-encoding': 'br' }), 415],
])('releases a body that is %s', async (_name, send, status) => {
  for (let round = 0; round < 4; round++) expect((await send()).status).toBe(status);
});

test('releases what has arrived of a body when it exceeds a limit', async () => {
  const held = [await begin(api.adminKey), await begin(api.adminKey)];
  for (let round = 0; round < 3; round++) expectProblem(await post(20), 'rate_limited');
  for (const { socket } of held) socket.destroy();
  await expectAllReleased();
});

test.each([0, 8])('releases a body whose client disconnects after %d MB', async (sent) => {
  const { status, socket } = await begin(api.adminKey, 20 * megabyte);
  expect(status).toBe(100);
  await new Promise((resolve) => socket.write(Buffer.alloc(sent * megabyte, ' '), resolve));
  socket.destroy();
  await expectAllReleased();
});

test('the keys of an organization share its limit', async () => {
  const keys = await Promise.all([makeKey(), makeKey(), makeKey()]);
  expect(statusesOf(await Promise.all([begin(keys[0]), begin(keys[0]), begin(keys[1])]))).toEqual([100, 100, 100]);
  const { status, response } = await begin(keys[2]);
  expect([status, response]).toEqual([429, expect.stringMatching(/^Retry-After: \d+\r$/m)]);
  expect(response).toContain('The request bodies of your organization that are in progress would exceed 96 MB.');
});

test('a body over the limit of the process gets 503, and a small one is accepted', async () => {
  const [second, third] = [await joinService('accepting'), await joinService('accepting')];
  const bodies: [key: string, megabytes: number[]][] = [
    [api.adminKey, [30, 30, 4]],
    [await makeKey(), [30, 2]],
    [second.adminKey, [30, 30, 4]],
  ];
  for (const [key, sizes] of bodies) {
    for (const size of sizes) expect((await begin(key, size * megabyte)).status).toBe(100);
  }
  const { status, response } = await begin(third.adminKey, megabyte);
  expect([status, response]).toEqual([503, expect.stringMatching(/^Retry-After: \d+\r$/m)]);
  expect(response).toContain('"code":"unavailable"');
  expect((await post(0, {}, third.adminKey)).status).toBe(202);
});
