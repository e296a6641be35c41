/** Judges what is left when every artwork has expired: rows and files. */
import { storedOwners } from '../support/stored-files.ts';
import { isKept } from './kept-results.ts';
import { markerIn } from './marker.ts';
import { problemOf } from './problem-of.ts';
import { type System, withSql } from './system.ts';

/** Tables that keep the ids of purged artworks, with their sums. */
const sums = ['ledger_entry', 'ledger_unsettled', 'usage', 'audit_entry'];

/** Searches every table for prompts and ids: an artwork leaves sums, but nothing that its client wrote. */
export async function judgeRows(system: System): Promise<string[]> {
  const search = () =>
    withSql(system, async (sql) => {
      const { rows: tables } = await sql.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      );
      for (const { name } of tables) {
        const { rows } = await sql.query<{ row: string }>(
          `select one::text as row from "${name}" as one where one::text ~ $1`,
          [sums.includes(name) ? prompts : `${prompts}|${ids}`],
        );
        const left = rows.find(({ row }) => !isKept(row));
        if (left) throw new Error(`The table ${name} still has ${markerIn(left.row) ?? idIn(left.row)}`);
      }
    });
  return await problemOf(search);
}

const prompts = 'zq[0-9a-f]{12}';
const ids = '(art|ans)_[0-9A-Z]{26}';

const idIn = (text: string) => new RegExp(ids).exec(text)?.[0];

/** Every file belongs to an artwork, and all have expired. */
export async function judgeFiles({ service }: System): Promise<string[]> {
  return await problemOf(async () => {
    const owners = (await storedOwners(service)).filter((owner) => !isKept(owner));
    if (owners.length > 0) throw new Error(`There are still files of ${owners.join(', ')}`);
  });
}
