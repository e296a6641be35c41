/** Converted networks are made once and kept. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cached } from '../upscale/cache.ts';

let folder: string;
let cache: URL;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-networks-'));
  cache = pathToFileURL(`${folder}/`);
});
afterEach(() => rm(folder, { recursive: true }));

const make = (text: string) => () => Promise.resolve(Buffer.from(text));

test('makes a file once and then reads it', async () => {
  const nested = new URL('new/', cache);
  expect(String(await cached('a.onnx', make('first'), nested))).toBe('first');
  expect(await readdir(nested)).toEqual(['a.onnx']);
  expect(String(await cached('a.onnx', make('second'), nested))).toBe('first');
});

test('makes the file every time where the folder cannot be written', async () => {
  await writeFile(join(folder, 'file'), '');
  const below = new URL('file/', cache);
  expect(String(await cached('a.onnx', make('first'), below))).toBe('first');
  expect(String(await cached('a.onnx', make('second'), below))).toBe('second');
  expect(await readdir(cache)).toEqual(['file']);
});
