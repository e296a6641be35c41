/** Lists child processes, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the running children of a process, in ascending order. */
export function childrenOf(parent: number): number[] {
  const ids = readdirSync('/proc').map(Number).filter(Boolean);
  return ids.filter((pid) => isChild(pid, parent)).sort((a, b) => a - b);
}

export const childrenOfThisProcess = () => childrenOf(process.pid);

function isChild(pid: number, parent: number): boolean {
  try {
    // The name, in parentheses, may contain spaces.
    const [state, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
    return Number(ppid) === parent && state !== 'Z';
  } catch {
    return false;
  }
}
