/** Reads the CPU time and memory of processes from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of /proc is a hundredth of a second on every Linux that Node supports. */
const millisecondsPerTick = 10;

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

function readStats(): Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The command's name is in parentheses and may contain any character.
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        // The process's own time, and the time of its ended children.
        const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
        return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
      } catch {
        return [];
      }
    });
}

/** Returns the CPU milliseconds that a process and its descendants have used. */
export function cpuTime(pid: number): number {
  const stats = readStats();
  const family = new Set([pid]);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid: child, parent } of stats) {
      if (family.has(parent) && !family.has(child)) grown = Boolean(family.add(child));
    }
  }
  const ticks = stats.filter((stat) => family.has(stat.pid)).reduce((sum, stat) => sum + stat.ticks, 0);
  return ticks * millisecondsPerTick;
}

/** Returns the resident memory in MB: now and at its peak. */
export function memory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
