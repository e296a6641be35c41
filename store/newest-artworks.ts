/** The query for the newest artworks of an organization or a key, with any filter. */
import { raw } from '@mikro-orm/postgresql';
import type { Environment } from '../schemas/access.ts';
import type { Status } from '../schemas/artwork.ts';

interface Wanted {
  owner: { column: 'org_id' | 'key_id'; id: string };
  environments: readonly Environment[];
  statuses: readonly Status[];
  operations: readonly string[];
  /** A further condition. It should hold for most artworks, because each row that fails it costs a read. */
  condition?: { sql: string; parameters: unknown[] };
  /** Only artworks before this id; null: all. */
  before: string | null;
  limit: number;
}

/** Sorts after the ids of all artworks. */
const afterAll = 'art_zzz';

/**
 * Returns a condition that selects the newest artworks with these environments, operations and statuses. An index finds the
 * first rows of each combination, and the query merges them: its duration does not depend on the number of artworks that do
 * not match. Rows of columns are compared, because only this index can sort by them. With `operation = …`, PostgreSQL scans
 * the primary key when its statistics know one operation only.
 */
export function isNewest({ owner, environments, statuses, operations, condition, before, limit }: Wanted) {
  return raw(
    `id in (
       select newest.id
       from unnest(?::text[]) as environment (name)
       cross join unnest(?::text[]) as operation (name)
       cross join unnest(?::text[]) as status (name)
       cross join lateral (
         select id
         from artwork
         where ${owner.column} = ?
           and (environment, operation, status, id) > (environment.name, operation.name, status.name, 'art_')
           and (environment, operation, status, id) < (environment.name, operation.name, status.name, ?)
           ${condition ? `and ${condition.sql}` : ''}
         order by environment desc, operation desc, status desc, id desc
         limit ?
       ) as newest
       order by newest.id desc
       limit ?
     )`,
    [
      arrayLiteral(environments),
      arrayLiteral(operations),
      arrayLiteral(statuses),
      owner.id,
      before ?? afterAll,
      ...(condition?.parameters ?? []),
      limit,
      limit,
    ],
  );
}

/** Returns an array literal of PostgreSQL. @param names must not contain quotes or backslashes */
export const arrayLiteral = (names: readonly string[]) => `{${names.map((name) => `"${name}"`).join()}}`;
