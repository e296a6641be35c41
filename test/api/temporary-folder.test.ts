/** A temporary folder that is full or missing: uploads get 503, the log names folder and cause, and nothing remains. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { bomb } from '../support/pictures.ts';
import { expectProblem } from '../support/problem.ts';
import { raw, type RawResponse } from '../support/raw.ts';
import { joinService, shared } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

let folder: string;
let api: FurtherApi;

beforeAll(async () => {
  // The API creates the folder.
  folder = join(await mkdtemp(join(shared().folder, 'temporary-')), 'a', 'b');
  api = await startFurtherApi(await joinService('quick'), { TMPDIR: folder });
});
afterAll(() => api.stop());

const picture = Buffer.concat([bomb(1000, 1000), Buffer.alloc(3_000_000)]);
const form = [Buffer.from('--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'), picture];
const uploads: [string, string, Buffer][] = [
  ['body', 'image/png', picture],
  ['form', 'multipart/form-data; boundary=x', Buffer.concat([...form, Buffer.from('\r\n--x--\r\n')])],
];

function send(type: string, body: Buffer): Promise<RawResponse> {
  const headers = { authorization: `Bearer ${api.adminKey}`, 'content-type': type };
  return raw(api.baseUrl, { method: 'POST', path: '/v2/files', headers, body: [body] });
}

/** The response without its request id: neither the folder nor the cause. */
const unavailable = {
  status: 503,
  code: 'unavailable',
  message: 'The service cannot accept requests right now, and nothing was stored. Try again shortly.',
};

async function expectUnavailable(response: RawResponse, cause: string): Promise<void> {
  expectProblem(response, 'unavailable');
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.body).toEqual({ ...unavailable, requestId: expect.any(String) });
  const logFile = join(api.dataFolder, `api-${new URL(api.baseUrl).port}.log`);
  const requestId = String(response.headers.get('x-request-id'));
  await eventually(async () => {
    const line = (await readFile(logFile, 'utf8')).split('\n').find((one) => one.includes(requestId));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 50,
      err: { message: `The temporary folder ${folder} (TMPDIR) does not work: ${cause}` },
    });
  });
}

/** Limits the size of files that the API can write, which fails its writes as a full disk does. */
const limitFiles = (bytes: string) => promisify(execFile)('prlimit', ['--pid', String(api.pid), `--fsize=${bytes}`]);

test.each(uploads)('returns 503 when the folder is full in the middle of a %s', async (_name, type, body) => {
  await limitFiles('1000000:unlimited');
  const response = await send(type, body).finally(() => limitFiles('unlimited'));
  await expectUnavailable(response, 'write failed (EFBIG)');
  expect(await readdir(folder)).toEqual([]);
  expect((await send(type, body)).status).toBe(201);
});

test.each(uploads)('returns 503 to a %s when the folder is gone', async (_name, type, body) => {
  await rm(folder, { recursive: true });
  await expectUnavailable(await send(type, body), 'create failed (ENOENT)');
  await mkdir(folder);
  expect((await send(type, body)).status).toBe(201);
});
