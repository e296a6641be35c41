/** What there is of an artwork: rows of every table that names it, and its files. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Stack } from './stack.ts';

export interface Leavings {
  /** How many rows, by table; tables with none are left out. */
  rows: Record<string, number>;
  files: string[];
}

export const nothing: Leavings = { rows: {}, files: [] };

export async function leavings({ dataFolder }: Stack, sql: pg.Client, id: string): Promise<Leavings> {
  const { rows: columns } = await sql.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name in ('artwork', 'artwork_id')
     union all select 'artwork', 'id'`,
  );
  const rows: Leavings['rows'] = {};
  for (const { table, column } of columns) {
    const { rowCount } = await sql.query(`select from ${table} where ${column} = $1`, [id]);
    if (rowCount) rows[table] = rowCount;
  }
  return { rows, files: await readdir(join(dataFolder, 'images', id)).catch(() => []) };
}
