/** The query for the newest artworks of an organization or a key, with any filter. */
import { raw } from '@mikro-orm/postgresql';
import type { Status } from '../schemas/artwork.ts';

interface Wanted {
  owner: { column: 'org_id' | 'key_id'; id: string };
  statuses: readonly Status[];
  operations: readonly string[];
  /** A further condition. It should hold for most artworks, because each row that fails it costs a read. */
  condition?: { sql: string; parameters: unknown[] };
  /** Only artworks before this id; null: all. */
  before: string | null;
  limit: number;
}

/**
 * Returns a condition that selects the newest artworks with these operations and statuses. An index finds the first rows of each operation and status, and the
 * query merges them: its duration does not depend on the number of artworks that do not match.
 */
export function isNewest({ owner, statuses, operations, condition, before, limit }: Wanted) {
  return raw(
    `id in (
       select newest.id
       from unnest(?::text[]) as operation (name)
       cross join unnest(?::text[]) as status (name)
       cross join lateral (
         select id
         from artwork
         where ${owner.column} = ?
           and operation = operation.name
           and status = status.name
           ${condition ? `and ${condition.sql}` : ''}
           and id > 'art_'
           ${before === null ? '' : 'and id < ?'}
         order by id desc
         limit ?
       ) as newest
       order by newest.id desc
       limit ?
     )`,
    [
      arrayLiteral(operations),
      arrayLiteral(statuses),
      owner.id,
      ...(condition?.parameters ?? []),
      ...(before === null ? [] : [before]),
      limit,
      limit,
    ],
  );
}

/** Returns an array literal of PostgreSQL. @param names must not contain quotes or backslashes */
export const arrayLiteral = (names: readonly string[]) => `{${names.map((name) => `"${name}"`).join()}}`;
