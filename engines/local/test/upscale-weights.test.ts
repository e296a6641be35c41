/** Converted networks are kept, and made again where the kept file is of no use. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { onnxOf } from '../upscale/weights.ts';

let folder: string;
let cache: URL;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-weights-'));
  cache = pathToFileURL(`${folder}/`);
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true });
});

const fine = () => Promise.resolve(true);

test('a network is converted once and then read from the cache', async () => {
  const nested = new URL('new/', cache);
  const converted = await onnxOf('slim-2x', fine, nested);
  const [name] = await readdir(nested);
  expect(await readdir(nested)).toEqual([expect.stringMatching(/^slim-2x-\d+-[0-9a-f]{32}\.onnx$/)]);
  expect((await readFile(new URL(name!, nested))).equals(converted)).toBe(true);
  await writeFile(new URL(name!, nested), 'kept');
  expect(String(await onnxOf('slim-2x', fine, nested))).toBe('kept');
});

test('a damaged file of the cache is converted again', async () => {
  const converted = Buffer.from(await onnxOf('slim-2x', fine, cache));
  const [name] = await readdir(cache);
  await writeFile(new URL(name!, cache), 'damaged');
  const again = await onnxOf('slim-2x', (file) => Promise.resolve(file.length > 100), cache);
  expect(converted.equals(again)).toBe(true);
  expect(converted.equals(await readFile(new URL(name!, cache)))).toBe(true);
});

test('without a cache that can be written, the network is converted in memory', async () => {
  await writeFile(join(folder, 'file'), '');
  const converted = await onnxOf('slim-2x', fine, new URL('file/', cache));
  expect(converted.length).toBeGreaterThan(800_000);
  expect(await readdir(cache)).toEqual(['file']);
});
