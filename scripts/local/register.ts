/** Records the running processes in the data folder, so that the next start can end those that a killed start left. */
import { commandOf, startTimeOf } from '../../runtime/process-identity.mjs';
import type { DataFolder } from './data-folder.ts';
import { endProcess } from './end-process.ts';

type Entry = { pid: number; startTime: string | null; command: string | null };
const file = 'processes.json';

export interface Register {
  add(name: string, pid: number): void;
  remove(name: string): void;
  clear(): void;
}

export function createRegister(data: DataFolder): Register {
  const entries = new Map<string, Entry>();
  const write = () => data.write(file, Object.fromEntries(entries));
  return {
    add: (name, pid) => {
      entries.set(name, { pid, startTime: startTimeOf(pid), command: commandOf(pid) });
      write();
    },
    remove: (name) => {
      entries.delete(name);
      write();
    },
    clear: () => data.remove(file),
  };
}

/** Ends processes that an earlier start left running and returns their names. Ignores a pid that another process has now. */
export async function endLeftovers(data: DataFolder): Promise<string[]> {
  const left = Object.entries(data.read<Record<string, Entry>>(file) ?? {}).filter(
    ([, { pid, startTime, command }]) =>
      startTime !== null && startTimeOf(pid) === startTime && commandOf(pid) === command,
  );
  await Promise.all(left.map(([name, { pid }]) => endProcess(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM')));
  data.remove(file);
  return left.map(([name]) => name);
}
