/** Locks in the form of folders. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { lockWhenFree, tryLock } from '../../runtime/lock.mjs';
import { startTimeOf } from '../../runtime/process-identity.mjs';
import { testFolder } from './folder.ts';

const folder = testFolder();

function leftBy(name: string, owner: object): string {
  const lock = join(folder, name, 'lock');
  mkdirSync(lock, { recursive: true });
  writeFileSync(join(lock, 'owner.json'), JSON.stringify(owner));
  return lock;
}

test('a lock has one owner, and is free after its release', () => {
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

test('takes over the lock of a process that has ended', () => {
  const lock = tryLock(leftBy('gone', { pid: 2 ** 22 + 1, startTime: '1' }));
  expect(lock.held).toBe(true);
});

test('takes over the lock of a process whose pid another process has now', () => {
  const lock = tryLock(leftBy('reused', { pid: process.ppid, startTime: '1' }));
  expect(lock.held).toBe(true);
});

test('does not take the lock of a running process', () => {
  const path = leftBy('living', { pid: process.ppid, startTime: startTimeOf(process.ppid) });
  expect(tryLock(path)).toEqual({ held: false, pid: process.ppid });
});

test('waits for a lock until its owner releases it, or until its signal aborts', async () => {
  const path = join(folder, 'waiting', 'lock');
  const first = tryLock(path);
  const stopping = new AbortController();
  const stopped = lockWhenFree(path, () => stopping.abort(), stopping.signal);
  await expect(stopped).rejects.toThrow('aborted');
  const owners: number[] = [];
  const release = await lockWhenFree(path, (pid) => {
    owners.push(pid);
    if (first.held) first.release();
  });
  expect(owners).toEqual([process.pid]);
  release();
});
