/** Reads what children write to their log files: the last lines, and new lines as they come. */
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const largest = 10 * 1024 * 1024;
const shownLines = 12;

/** The end of a log, or of what came after the position `from`. */
export function lastLines(file: string, from = 0): string {
  const text = readFrom(file, Math.max(from, sizeOf(file) - 16_384)).text;
  return text
    .trimEnd()
    .split('\n')
    .slice(-shownLines)
    .map((line) => `  ${line.slice(0, 500)}`)
    .join('\n');
}

/** Sets a log aside that has grown too large, keeping one older. */
export function rotate(file: string): void {
  if (sizeOf(file) > largest) renameSync(file, `${file}.1`);
}

/** Calls back with each new line. Returns a function that stops it. */
export function followLog(file: string, onLine: (line: string) => void): () => void {
  let position = sizeOf(file);
  let rest = '';
  const look = () => {
    const { text, end } = readFrom(file, position);
    position = end;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  };
  const timer = setInterval(look, 250);
  timer.unref();
  return () => {
    clearInterval(timer);
    look();
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
