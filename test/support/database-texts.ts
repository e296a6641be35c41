/** Searches every table of a database for texts. */
import type pg from 'pg';

/** Returns `table: text` for each text that any row of any table contains. */
export async function findInTables(sql: pg.Client, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const { rowCount } = await sql.query(`select from ${name} one where strpos(one::text, $1) > 0 limit 1`, [text]);
      if (rowCount) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
