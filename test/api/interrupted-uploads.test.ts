/** Uploads that the client does not finish leave neither a file, a folder nor an open file descriptor. */
import { mkdtemp, readdir, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bomb } from '../support/pictures.ts';
import { eventually } from '../support/eventually.ts';
import { joinService, shared } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

let folder: string;
let api: FurtherApi;

beforeAll(async () => {
  folder = await mkdtemp(join(shared().folder, 'uploads-'));
  api = await startFurtherApi(await joinService('quick'), { TMPDIR: folder });
});
afterAll(() => api.stop());

/** Returns the open files of the API below its temporary folder, including deleted ones. */
async function openFiles(): Promise<string[]> {
  const descriptors = `/proc/${api.pid}/fd`;
  const names = await readdir(descriptors);
  const files = await Promise.all(names.map((name) => readlink(join(descriptors, name)).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

const picture = bomb(1000, 1000);
const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;

test.each([
  ['form', 'multipart/form-data; boundary=x', Buffer.concat([Buffer.from(part), picture])],
  ['body', 'image/png', picture],
])('closes the file when the client disconnects in the middle of a %s', async (_name, type, begun) => {
  const { hostname, port } = new URL(api.baseUrl);
  const socket = connect(Number(port), hostname);
  const headers = [
    `Host: a`,
    `Authorization: Bearer ${api.adminKey}`,
    `Content-Type: ${type}`,
    `Content-Length: 90000`,
  ];
  socket.write(`POST /v2/files HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.write(begun);
  await eventually(async () => expect(await openFiles()).toHaveLength(1));
  socket.destroy();
  await eventually(async () => expect([await openFiles(), await readdir(folder)]).toEqual([[], []]), 5000);
  // A client that disconnects is no error of the service.
  expect(await readFile(join(api.dataFolder, `api-${port}.log`), 'utf8')).not.toContain('"level":50');
});
