/** Image files in a folder: written, read, and removed all at once. */
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Files, openFiles } from '../../store/files.ts';
import { openFolder } from '../../store/files/folder.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { testFiles } from '../support/files-contract.ts';

let base: string;
let folder: string;
let files: Files;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'atelier-files-'));
  folder = join(base, 'made', 'when', 'needed');
  files = await openFiles({ kind: 'folder', folder }, { timeout: 1000 });
});
afterAll(async () => {
  await chmod(base, 0o700);
  await rm(base, { recursive: true });
});

testFiles(() => files);

test('leaves no folder and no draft behind', async () => {
  await files.write('art_7', 'a.png', Buffer.from('a'));
  expect(await readdir(join(folder, 'art_7'))).toEqual(['a.png']);
  await files.remove('art_7');
  expect(await readdir(folder)).not.toContain('art_7');
});

test('a failed write leaves no draft', async () => {
  const content = { open: () => createReadStream(join(base, 'missing')), size: 1 };
  await expect(files.write('art_8', 'a.png', content)).rejects.toThrow();
  // The file system rejects the rename: a folder has the name.
  await mkdir(join(folder, 'art_8', 'b.png', 'full'), { recursive: true });
  await expect(files.write('art_8', 'b.png', Buffer.from('b'))).rejects.toThrow('write failed');
  expect(await readdir(join(folder, 'art_8'))).toEqual(['b.png']);
});

test('has no presigned URLs', async () => {
  const presentation = { contentType: 'image/png', disposition: 'inline', expiresIn: 60 };
  expect([await files.presign('art_1', 'a.png', presentation), files.origin]).toEqual([null, null]);
});

test('reports a folder that does not work as unavailable, without its path', async () => {
  await writeFile(join(base, 'file'), '');
  const broken = openFolder(join(base, 'file'));
  const error = await broken.write('art_1', 'a.png', Buffer.from('a')).catch((reason: unknown) => reason);
  expect(isStoreUnavailable(error)).toBe(true);
  expect(String(error)).toMatch(/write failed \((ENOTDIR|EEXIST)\)$/);
});
