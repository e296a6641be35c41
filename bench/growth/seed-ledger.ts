/** Inserts the ledger of the last forty days: of the stored artworks, and of those that are purged. */
import type pg from 'pg';
import type { Size } from './seed.ts';

const entries = `
  insert into ledger_entry (reference, kind, key_id, operation, amount, created_at)
  select reference, kind, key_id, operation, amount, at + delay
  from paid
  cross join lateral (
    values ('reserve', -2, interval '0'), ('release', 2, interval '20 seconds'), ('charge', -2, interval '20 seconds')
  ) as entry (kind, amount, delay)
`;

export async function seedLedger(admin: pg.Client, size: Size): Promise<void> {
  const purged = Math.max(Math.round(size.entries / 3) - size.artworks, 1);
  await admin.query(`
    with paid as (
      select 'art_' || pg_temp.ulid(at, n) as reference, at, 'selena' as operation,
        'key_' || lpad(org::text, 2, '0') || lpad((2 + n % 6)::text, 24, '0') as key_id
      from generate_series(1, ${purged}) as n
      cross join lateral (
        select now() - interval '8 days' - interval '32 days' * (1 - n / ${purged}::float8) as at
      ) as moment
      cross join lateral (select case when n % 2 = 0 then 0 else 1 + n % 38 end as org) as owner
      order by n
    )
    ${entries}
  `);
  await admin.query(`
    with paid as (
      select id as reference, created_at as at, operation, key_id, status
      from artwork
      order by id
    )
    ${entries}
    where kind = 'reserve' or status = 'SUCCEEDED' or (kind = 'release' and status in ('FAILED', 'CANCELED'))
  `);
  await admin.query(`
    insert into ledger_entry (reference, kind, key_id, amount, created_at)
    select 'grant_' || id || n, 'grant', id, 10000000, now() - interval '3 days' * n
    from api_key, generate_series(1, 13) as n
  `);
  await admin.query(`
    update api_key
    set credits = total
    from (select key_id, sum(amount) as total from ledger_entry group by key_id) as ledger
    where key_id = id
  `);
}
