/** Image files: written, read, and removed all at once. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Files, openFiles } from '../../store/files.ts';

let folder: string;
let files: Files;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-files-'));
  files = openFiles(join(folder, 'made', 'when', 'needed'));
});
afterAll(() => rm(folder, { recursive: true }));

const contents = async (artwork: string, name: string) => {
  const file = await files.read(artwork, name);
  return file && buffer(file);
};

test('reads the bytes that it wrote', async () => {
  const bytes = Buffer.from([0, 1, 254, 255]);
  await files.write('art_1', 'image-1.png', bytes);
  expect(await contents('art_1', 'image-1.png')).toEqual(bytes);
});

test('a second write replaces the first', async () => {
  await files.write('art_2', 'a.png', Buffer.from('long before'));
  await files.write('art_2', 'a.png', Buffer.from('after'));
  expect(await contents('art_2', 'a.png')).toEqual(Buffer.from('after'));
});

test('returns null for a missing file', async () => {
  expect(await files.read('art_1', 'image-2.png')).toBeNull();
  expect(await files.read('art_none', 'image-1.png')).toBeNull();
});

test('removes all files of one artwork, and no others', async () => {
  await files.write('art_3', 'a.png', Buffer.from('a'));
  await files.write('art_3', 'b.png', Buffer.from('b'));
  await files.write('art_33', 'a.png', Buffer.from('c'));
  await files.remove('art_3');
  expect(await files.read('art_3', 'a.png')).toBeNull();
  expect(await files.read('art_3', 'b.png')).toBeNull();
  expect(await contents('art_33', 'a.png')).toEqual(Buffer.from('c'));
  expect(await readdir(join(folder, 'made', 'when', 'needed'))).not.toContain('art_3');
});

test('removes an artwork without files, even twice', async () => {
  await files.remove('art_never');
  await files.remove('art_never');
});

test('rejects names that lead out of the folder', async () => {
  await expect(files.write('..', '../outside.png', Buffer.from('x'))).rejects.toThrow();
  await expect(files.read('..', '../../../../etc/passwd')).rejects.toThrow();
});
