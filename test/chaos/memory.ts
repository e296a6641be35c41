/** Measures the memory of the processes of a run. */
import { readFileSync } from 'node:fs';
import type { NpmService } from '../support/npm-service.ts';

/** Mebibytes of a process: resident at the start and at the end of the run, and the most that any of its runs had. */
export interface Memory {
  start: number;
  end: number;
  peak: number;
}

export interface MemoryMeter {
  /** Measures once more. @returns the figures by process */
  stop(): Map<string, Memory>;
}

/** Milliseconds between two measurements. A process that is killed takes its peak with it. */
const interval = 1000;

export function measureMemory(service: Pick<NpmService, 'pids'>): MemoryMeter {
  const figures = new Map<string, Memory>();
  const measure = () => {
    for (const [name, pid] of Object.entries(service.pids())) {
      const status = statusOf(pid);
      if (status === null) continue;
      const now = mebibytes(status, 'VmRSS');
      const known = figures.get(name) ?? { start: now, end: now, peak: 0 };
      figures.set(name, { ...known, end: now, peak: Math.max(known.peak, mebibytes(status, 'VmHWM')) });
    }
  };
  measure();
  const timer = setInterval(measure, interval);
  return {
    stop() {
      clearInterval(timer);
      measure();
      return figures;
    },
  };
}

/** Returns null when the process does not run. */
function statusOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
}

function mebibytes(status: string, field: string): number {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Math.round(Number(kibibytes ?? 0) / 1024);
}
