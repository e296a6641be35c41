/** Prints results as JSON or as aligned lines. Texts in them may come from clients, such as the label of a key. */
import type { Context } from './context.ts';
import { printable, printableJson } from './printable.ts';

export function print({ isJson, writeLine }: Pick<Context, 'isJson' | 'writeLine'>, result: object): void {
  if (isJson()) {
    writeLine(printableJson(result));
    return;
  }
  const rows: object[] = Array.isArray(result) ? (result as object[]) : [result];
  for (const [index, row] of rows.entries()) {
    if (index > 0) writeLine('');
    const width = Math.max(...Object.keys(row).map((name) => name.length));
    for (const [name, value] of Object.entries(row)) {
      writeLine(`${name.padEnd(width)}  ${printable(readable(value))}`);
    }
  }
}

function readable(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? null).replace(/^null$/, '–');
}
