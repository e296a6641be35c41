/** Freezes a process and its descendants (SIGSTOP), and resumes them (SIGCONT). */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns a function that resumes the processes. */
export function freeze(pid: number): () => void {
  const family = stop(pid);
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

/** Stops a process before its children, so that it starts no further child meanwhile. Returns all of them. */
function stop(pid: number): number[] {
  send(pid, 'SIGSTOP');
  const stopped = [pid];
  // A child may be on its way when the process stops.
  for (let last = 0; last < stopped.length;) {
    last = stopped.length;
    for (const child of childrenOf(pid)) if (!stopped.includes(child)) stopped.push(...stop(child));
  }
  return stopped;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
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
