/** Measures the most memory that this process has at a time. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Begins a measurement. @returns a function for the megabytes that the process had at most since then, beyond those it had at the beginning */
export function measurePeakMemory(): () => number {
  try {
    // Sets the mark to the current memory. On other systems than Linux, it remains that of the whole process.
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    const before = process.resourceUsage().maxRSS;
    return () => (process.resourceUsage().maxRSS - before) / 1024;
  }
  const before = peak();
  return () => peak() - before;
}

/** Returns the megabytes since the mark was set. */
const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
