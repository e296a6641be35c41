/** Temporary folders of uploads: removed after each request, and when a killed process has left them. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeUploadFolder, removeOldUploadFolders } from '../../api/http/upload-folders.ts';

const hour = 60 * 60_000;

test('removes old upload folders, but neither new ones nor other folders', async () => {
  const [old, recent, other] = [
    await makeUploadFolder(),
    await makeUploadFolder(),
    await mkdtemp(join(tmpdir(), 'atelier-other-')),
  ];
  await writeFile(join(old, 'file'), 'x');
  const now = Date.now();
  const before = new Date(now - 2 * hour);
  for (const folder of [old, other]) await utimes(folder, before, before);
  await removeOldUploadFolders(now);
  const left = (await readdir(tmpdir())).map((name) => join(tmpdir(), name));
  expect([old, recent, other].map((folder) => left.includes(folder))).toEqual([false, true, true]);
  await Promise.all([recent, other].map((folder) => rm(folder, { recursive: true })));
});
