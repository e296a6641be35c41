/** Summarizes and prints measurements. */

export interface Summary {
  n: number;
  p50: number;
  p95: number;
  p99: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

export function printTimes(rows: Record<string, readonly number[]>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  console.log(`${'milliseconds'.padEnd(width)}      n     p50     p95     p99`);
  for (const [name, values] of Object.entries(rows)) {
    const { n, p50, p95, p99 } = summarize(values);
    const columns = [p50, p95, p99].map((value) => value.toFixed(1).padStart(7)).join(' ');
    console.log(`${name.padEnd(width)}  ${String(n).padStart(5)} ${columns}`);
  }
}

export function printFigures(rows: Record<string, string>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(width)}  ${value}`);
}
