/** Judges what is left when every artwork has expired: rows and files. */
import { storedNames } from '../support/stored-files.ts';
import { isKept } from './kept-results.ts';
import { markerIn } from './marker.ts';
import { problemOf } from './problem-of.ts';
import { type System, withSql } from './system.ts';

/** Searches every table for prompts: an artwork leaves sums, but nothing that its client wrote. */
export async function judgeRows(system: System): Promise<string[]> {
  const search = () =>
    withSql(system, async (sql) => {
      const { rows: tables } = await sql.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      for (const { name } of tables) {
        const { rows } = await sql.query<{ row: string }>(
          `select one::text as row from "${name}" as one where one::text ~ 'zq[0-9a-f]{12}'`,
        );
        const left = rows.find(({ row }) => !isKept(row));
        if (left) throw new Error(`The table ${name} still has the prompt ${markerIn(left.row)}`);
      }
    });
  return await problemOf(search);
}

export async function judgeFiles({ service }: System, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const problems = await problemOf(async () => {
      const names = await storedNames(service, id);
      if (names.length > 0) throw new Error(`${id} still has the files ${names.join(', ')}`);
    });
    found.push(...problems);
  }
  return found;
}
