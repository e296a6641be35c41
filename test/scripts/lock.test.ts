/** The lock that is a folder. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tryLock } from '../../scripts/lock.mjs';
import { startTimeOf } from '../../scripts/process-identity.mjs';
import { testFolder } from './folder.ts';

const folder = testFolder();

function leftBy(name: string, owner: object): string {
  const lock = join(folder, name, 'lock');
  mkdirSync(lock, { recursive: true });
  writeFileSync(join(lock, 'owner.json'), JSON.stringify(owner));
  return lock;
}

test('is held once, and free again after the release', () => {
  const path = join(folder, 'once', 'lock');
  const first = tryLock(path);
  expect(first.held).toBe(true);
  expect(tryLock(path)).toEqual({ held: false, pid: process.pid });
  if (first.held) first.release();
  const again = tryLock(path);
  expect(again.held).toBe(true);
  if (again.held) again.release();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('of a process that is gone is taken over', () => {
  const lock = tryLock(leftBy('gone', { pid: 2 ** 22 + 1, startTime: '1' }));
  expect(lock.held).toBe(true);
});

test('of a process whose pid belongs to another one by now is taken over', () => {
  const lock = tryLock(leftBy('reused', { pid: process.ppid, startTime: '1' }));
  expect(lock.held).toBe(true);
});

test('of a living process is respected', () => {
  const path = leftBy('living', { pid: process.ppid, startTime: startTimeOf(process.ppid) });
  expect(tryLock(path)).toEqual({ held: false, pid: process.ppid });
});
