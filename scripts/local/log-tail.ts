/** Reads the log files of child processes: the last lines, and new lines as they appear. */
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

/** Size at which a log is rotated. */
const maxBytes = 10 * 1024 * 1024;
/** Lines of a log that an error message quotes. */
const shownLines = 12;
/** Bytes at the end of a log that contain these lines. */
const tailBytes = 16_384;

/** Returns the last lines of a log after the position `from`. */
export function lastLines(file: string, from = 0): string {
  const text = readFrom(file, Math.max(from, sizeOf(file) - tailBytes)).text;
  return text
    .trimEnd()
    .split('\n')
    .slice(-shownLines)
    .map((line) => `  ${line.slice(0, 500)}`)
    .join('\n');
}

/** Renames a log that has grown too large; keeps one older log. */
export function rotate(file: string): void {
  if (sizeOf(file) > maxBytes) renameSync(file, `${file}.1`);
}

/** Calls `onLine` with each new line. Returns a function that stops this. */
export function followLog(file: string, onLine: (line: string) => void): () => void {
  let position = sizeOf(file);
  let rest = '';
  const readNew = () => {
    const { text, end } = readFrom(file, position);
    position = end;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  };
  const timer = setInterval(readNew, 250);
  timer.unref();
  return () => {
    clearInterval(timer);
    readNew();
  };
}

export function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}

function readFrom(file: string, from: number): { text: string; end: number } {
  if (!existsSync(file)) return { text: '', end: 0 };
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const start = Math.min(from, size);
    const buffer = Buffer.alloc(Math.min(size - start, 1024 * 1024));
    const length = readSync(handle, buffer, 0, buffer.length, start);
    return { text: buffer.toString('utf8', 0, length), end: start + length };
  } finally {
    closeSync(handle);
  }
}
