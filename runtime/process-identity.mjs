/** Identifies a process by its start time and command line, because pids are reused. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the start time of a process in the system's format; null when it does not exist or is a zombie. */
export function startTimeOf(pid) {
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  const stat = read(`/proc/${pid}/stat`);
  // The second field is the program's name, which may contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? null : (fields[19] ?? null);
}

/** Returns the command line with its arguments separated by spaces; null when there is no such process. */
export function commandOf(pid) {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() || null;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function ps(pid, column) {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim() || null;
  } catch {
    return null;
  }
}
