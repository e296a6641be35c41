/** A lock in the form of a folder with its owner's pid. A lock whose owner has died is taken over. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startTimeOf } from './process-identity.mjs';

/** Milliseconds between two attempts to take a lock. */
const interval = 500;
/** Milliseconds that the folder of a dead owner's lock is kept. */
const staleFor = 10_000;
const held = new Map();
process.once('exit', () => held.forEach((release) => release()));

/** Returns `{ held: true, release }`, or `{ held: false, pid }` with the pid of the owner. */
export function tryLock(folder) {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid) };
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    if (create(folder, me)) {
      sweep(folder);
      const release = () => remove(folder, me);
      held.set(folder, release);
      return { held: true, release };
    }
    const owner = ownerOf(folder);
    if (owner === null) continue;
    if (startTimeOf(owner.pid) === owner.startTime) return { held: false, pid: owner.pid };
    // The new name contains the dead owner, and the folder is kept for some seconds. If two processes find the same
    // dead owner, the slower one therefore cannot rename the lock that the faster one has taken: the name exists.
    rename(folder, `${folder}.stale-${owner.pid}-${owner.startTime}`);
  }
}

/**
 * Waits until the lock is free, takes it, and returns its release. Calls `onWait(pid)` before each wait.
 * Rejects when the signal aborts.
 */
export async function lockWhenFree(folder, onWait, signal) {
  for (;;) {
    const lock = tryLock(folder);
    if (lock.held) return lock.release;
    onWait(lock.pid);
    await setTimeout(interval, undefined, { signal });
  }
}

// The owner's file is written before the folder gets its name, so a lock without an owner never exists.
function create(folder, me) {
  const prepared = mkdtempSync(`${folder}.new-`);
  writeFileSync(join(prepared, 'owner.json'), JSON.stringify(me), { mode: 0o600 });
  if (rename(prepared, folder)) return true;
  rmSync(prepared, { recursive: true, force: true });
  return false;
}

function remove(folder, me) {
  held.delete(folder);
  const owner = ownerOf(folder);
  if (owner?.pid !== me.pid || owner.startTime !== me.startTime) return;
  const leaving = `${folder}.left-${me.pid}-${me.startTime}`;
  if (rename(folder, leaving)) rmSync(leaving, { recursive: true, force: true });
}

function sweep(folder) {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    const stale = name.startsWith(`${basename(folder)}.stale-`);
    const { ctimeMs } = (stale && statSync(path, { throwIfNoEntry: false })) || {};
    if (ctimeMs < Date.now() - staleFor) rmSync(path, { recursive: true, force: true });
  }
}

function ownerOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function rename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) return false;
    throw error;
  }
}
