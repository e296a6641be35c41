/** Downloads through the API that fail: 503 and a log line when the file cannot be read, nothing when the client disconnects. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { addLargeImage, download } from '../support/large-image.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

const bytes = 20 * 1024 * 1024;
let api: FurtherApi;
let link: string;
let file: string;

beforeAll(async () => {
  const service = await joinService('quick');
  api = await startFurtherApi(service, {});
  ({ link, file } = await addLargeImage(api, bytes));
});
afterAll(() => api.stop());

interface Line {
  level: number;
  msg: string;
  err?: { code: string };
  requestId?: string;
}

/** Returns the lines in the log about the request that report a problem, once its own line is there. */
async function problemsOf(requestId: string): Promise<Line[]> {
  const text = await readFile(join(api.dataFolder, `api-${new URL(api.baseUrl).port}.log`), 'utf8');
  const lines = text.split('\n').filter((line) => line.includes(requestId));
  const parsed = lines.map((line) => JSON.parse(line) as Line);
  expect(parsed.map(({ msg }) => msg)).toEqual(expect.arrayContaining([expect.stringMatching(/^request /)]));
  return parsed.filter(({ level, msg }) => level >= 40 && !msg.startsWith('request '));
}

test('does not log a client that disconnects', async () => {
  await writeFile(file, Buffer.alloc(bytes));
  const response = await download(link, 'disconnected');
  expect(response.statusCode).toBe(200);
  response.destroy();
  expect(await eventually(() => problemsOf('disconnected'))).toEqual([]);
});

test('responds with 503 when the file cannot be read, and logs the cause', async () => {
  // A folder can be opened, but not read.
  await rm(file, { force: true });
  await mkdir(file);
  const response = await download(link, 'failed');
  expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'application/json; charset=utf-8']);
  response.resume();
  await eventually(async () => {
    const problems = await problemsOf('failed');
    expect(problems).toMatchObject([{ msg: 'unavailable', err: { code: 'EISDIR' } }]);
  });
});
