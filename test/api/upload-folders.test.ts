/** Temporary folders of uploads: removed after each request, and when a killed process has left them. */
import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepareTemporaryFolder } from '../../api/http/upload-folders.ts';
import { createLogger } from '../../runtime/log.ts';

const hour = 60 * 60_000;
const log = createLogger('test', 'silent');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-temporary-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('removes old upload folders, but neither new ones nor other folders', async () => {
  const make = (name: string) => mkdtemp(join(folder, name));
  const [old, recent, other] = [
    await make('atelier-upload-'),
    await make('atelier-upload-'),
    await make('atelier-other-'),
  ];
  await writeFile(join(old, 'file'), 'x');
  const now = Date.now();
  const before = new Date(now - 2 * hour);
  for (const one of [old, other]) await utimes(one, before, before);
  await prepareTemporaryFolder(folder, now, log);
  const left = (await readdir(folder)).map((name) => join(folder, name));
  expect(left.sort()).toEqual([recent, other].sort());
});

test('creates a folder that is missing', async () => {
  const missing = join(folder, 'a', 'b');
  await prepareTemporaryFolder(missing, Date.now(), log);
  expect(await readdir(missing)).toEqual([]);
});

test('starts with a folder that this user can write, but not read', async () => {
  await chmod(folder, 0o333);
  // Root can read every folder, so the test gives up its rights for a moment.
  const isRoot = process.geteuid!() === 0;
  if (isRoot) process.seteuid!(65_534);
  try {
    await expect(readdir(folder)).rejects.toThrow('EACCES');
    await prepareTemporaryFolder(folder, Date.now(), log);
  } finally {
    if (isRoot) process.seteuid!(0);
  }
});
