/** Prints results as JSON or as aligned lines. */
import type { Context } from './context.ts';

export function print({ isJson, writeLine }: Pick<Context, 'isJson' | 'writeLine'>, result: object): void {
  if (isJson()) {
    writeLine(JSON.stringify(result, null, 2));
    return;
  }
  const rows: object[] = Array.isArray(result) ? (result as object[]) : [result];
  for (const [index, row] of rows.entries()) {
    if (index > 0) writeLine('');
    const width = Math.max(...Object.keys(row).map((name) => name.length));
    for (const [name, value] of Object.entries(row)) {
      writeLine(`${name.padEnd(width)}  ${readable(value)}`);
    }
  }
}

function readable(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? null).replace(/^null$/, '–');
}
