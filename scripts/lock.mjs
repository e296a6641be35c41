/** A lock that is a folder holding its owner's pid; one whose owner is gone is taken over. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { startTimeOf } from './process-identity.mjs';

/** `{ held: true, release }`, or `{ held: false, pid }` with the pid of the living owner. */
export function tryLock(folder) {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid) };
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    if (place(folder, me)) return { held: true, release: () => release(folder, me) };
    const owner = ownerOf(folder);
    if (owner === null) continue;
    if (startTimeOf(owner.pid) === owner.startTime) return { held: false, pid: owner.pid };
    // Named after the dead owner and kept until the release: of two that found the same dead owner, the slower one
    // cannot move away the lock that the faster one has taken meanwhile.
    rename(folder, `${folder}.stale-${owner.pid}-${owner.startTime}`);
  }
}

// The owner's file is inside before the folder gets its name, so nobody ever sees a lock without an owner.
function place(folder, me) {
  const prepared = mkdtempSync(`${folder}.new-`);
  writeFileSync(join(prepared, 'owner.json'), JSON.stringify(me));
  if (rename(prepared, folder)) return true;
  rmSync(prepared, { recursive: true, force: true });
  return false;
}

function release(folder, me) {
  const owner = ownerOf(folder);
  if (owner?.pid !== me.pid || owner.startTime !== me.startTime) return;
  const leaving = `${folder}.left-${me.pid}-${me.startTime}`;
  if (!rename(folder, leaving)) return;
  rmSync(leaving, { recursive: true, force: true });
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(`${basename(folder)}.stale-`))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
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
