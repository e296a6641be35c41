/** Prints results: JSON for machines, aligned lines for people. */
import type { Database } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

export interface Context {
  db: Database;
  vault: Vault;
  isJson(): boolean;
}

export function print({ isJson }: Pick<Context, 'isJson'>, result: object): void {
  if (isJson()) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  const rows: object[] = Array.isArray(result) ? (result as object[]) : [result];
  for (const [index, row] of rows.entries()) {
    if (index > 0) console.log();
    const width = Math.max(...Object.keys(row).map((name) => name.length));
    for (const [name, value] of Object.entries(row)) {
      console.log(`${name.padEnd(width)}  ${readable(value)}`);
    }
  }
}

function readable(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? null).replace(/^null$/, '–');
}
