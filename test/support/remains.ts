/** Finds what is stored of an artwork: rows of every table that references it, and its files. */
import type pg from 'pg';
import type { Service } from './stack.ts';
import { storedNames } from './stored-files.ts';

export interface Remains {
  /** Number of rows by table; tables without rows are omitted. */
  rows: Record<string, number>;
  files: string[];
}

export const nothing: Remains = { rows: {}, files: [] };

export async function findRemains(stack: Service, sql: pg.Client, id: string): Promise<Remains> {
  const { rows: columns } = await sql.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name in ('artwork', 'artwork_id')
     union all select 'artwork', 'id'`,
  );
  const rows: Remains['rows'] = {};
  for (const { table, column } of columns) {
    const { rowCount } = await sql.query(`select from ${table} where ${column} = $1`, [id]);
    if (rowCount) rows[table] = rowCount;
  }
  return { rows, files: await storedNames(stack, id) };
}
