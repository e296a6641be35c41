/** An engines file that the library for YAML cannot follow is a mistake of the operator, not a bug in our code. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readEngines } from '../../engines/read.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-engines-'));
});
afterAll(() => rm(folder, { recursive: true }));

const list = (name: string) => `[${`*${name},`.repeat(10)}]`;

test.each([
  ['an alias without its anchor', 'engines: *a', ' has an alias (*) that cannot be used'],
  [
    'aliases that stand for billions of values',
    `a: &a [1]\n${[...'bcdefghijk'].map((name, at) => `${name}: &${name} ${list('abcdefghijk'[at] ?? '')}`).join('\n')}`,
    ' has an alias (*) that cannot be used',
  ],
  ['a name that is not a text', '? [a]\n: 1', ':1 has a field whose name is not a text'],
])('names what is wrong: %s', async (_name, text, message) => {
  const file = join(folder, 'engines.yaml');
  await writeFile(file, text);
  await expect(readEngines(file, { models: {}, sources: {} }, () => undefined)).rejects.toMatchObject({
    name: 'FileError',
    message: expect.stringContaining(`${file}${message}`),
  });
});
