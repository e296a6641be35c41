/** Freezes a process and its descendants (SIGSTOP), and resumes them (SIGCONT). */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns a function that resumes the processes. */
export function freeze(pid: number): () => void {
  const family = familyOf(pid);
  for (const member of family) send(member, 'SIGSTOP');
  return () => {
    for (const member of family) send(member, 'SIGCONT');
  };
}

function send(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // A child may have ended by itself meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

function parentOf(name: string): number | null {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The command's name is in parentheses and may contain any character.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
