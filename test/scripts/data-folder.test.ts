/** The data folder of a local start: other users of the machine can read none of its files. */
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { spawnChild } from '../../scripts/local/child.ts';
import { openDataFolder } from '../../scripts/local/data-folder.ts';
import { testFolder } from './folder.ts';

const base = testFolder();
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Returns the paths in a folder that other users may read or write. */
function readable(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return paths.filter((path) => (modeOf(path) & 0o066) !== 0);
}

test('a new folder can be entered, but not listed', () => {
  const data = openDataFolder(join(base, 'new'));
  data.write('demo.json', {});
  data.secret();
  expect(modeOf(data.path)).toBe(0o711);
  expect(readable(data.path)).toEqual([]);
  data.release();
});

test('protects the files that an earlier release has left readable', () => {
  const folder = join(base, 'earlier');
  for (const name of ['temporal', 'logs', 'images']) mkdirSync(join(folder, name), { recursive: true });
  const files = ['temporal/temporal.db', 'temporal/temporal.db-wal', 'logs/api.log', 'cluster.env'];
  for (const name of files) writeFileSync(join(folder, name), '');
  for (const name of [...files, 'temporal', 'logs', 'images', '.']) chmodSync(join(folder, name), 0o755);
  expect(readable(folder)).toHaveLength(7);
  openDataFolder(folder).release();
  expect(readable(folder)).toEqual([]);
  expect(modeOf(folder)).toBe(0o711);
});

test('the files that a child creates are private, unless others need them', async () => {
  const command = (name: string) => ({ command: 'touch', args: [join(base, name)], logFile: join(base, 'log') });
  await (
    await spawnChild(command('private'))
  ).exited;
  await (
    await spawnChild({ ...command('shared'), sharesFiles: true })
  ).exited;
  expect(['private', 'shared', 'log'].map((name) => modeOf(join(base, name)) & 0o044)).toEqual([0, 0o044, 0]);
});
