/** Fills a database as a busy year would have, with statements that generate the rows on the server. */
import type pg from 'pg';
import { seedArtworks } from './seed-artworks.ts';
import { seedLedger } from './seed-ledger.ts';

export interface Size {
  artworks: number;
  entries: number;
}

/** The largest organization, which has half of everything, and no failed artwork. */
export const largest = 'org_00';
const organizations = 40;
/** Keys of the largest organization, and of each other one. */
const keys = { largest: 120, other: 8 };

/** A character of the time in an id. */
const digit = (place: number) =>
  `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((ms >> ${5 * (9 - place)}) & 31)::int + 1, 1)`;

/** Ids as the service makes them: their time, then anything. */
const functions = `
  create function pg_temp.digits(ms bigint) returns text language sql immutable as $$
    select ${Array.from({ length: 10 }, (_, place) => digit(place)).join(' || ')}
  $$;
  create function pg_temp.ulid(at timestamptz, n bigint) returns text language sql immutable as $$
    select pg_temp.digits(floor(extract(epoch from at) * 1000)::bigint) || upper(left(md5(n::text), 16))
  $$;
`;

const owners = `
  insert into organization (id, name, created_at, webhook_secret)
  select 'org_' || lpad(n::text, 2, '0'), 'Organization ' || n, now() - interval '2 years', '\\x00'
  from generate_series(0, ${organizations - 1}) as n;
  insert into api_key (
    id, org_id, hash, prefix, label, scope, domains, environment, credits, usage_count, created_at
  )
  select 'key_' || lpad(org::text, 2, '0') || lpad(n::text, 24, '0'), 'org_' || lpad(org::text, 2, '0'),
    decode(md5(org || '.' || n) || md5(n || '.' || org), 'hex'), 'atl_000000', 'key ' || n,
    case when n = 0 then 'admin' else 'generator' end,
    case when n = 1 then '{style-dna}'::text[] else '{artworks-internal,style-dna,textcraft,studio}'::text[] end,
    'live', 0, 0, now() - interval '1 year'
  from generate_series(0, ${organizations - 1}) as org,
    generate_series(0, case when org = 0 then ${keys.largest} else ${keys.other} end - 1) as n;
`;

/** Two years and a month of changes and a year of usage, of which a sweep deletes the oldest. */
const records = (share: number) => `
  insert into audit_entry (id, org_id, at, actor, action, target, changes)
  select 'aud_' || pg_temp.ulid(at, n), case when n % 2 = 0 then '${largest}' else 'org_' || lpad((1 + n % 39)::text, 2, '0') end,
    at, 'operator', 'api_key.updated', 'key_' || n, '{"credits":{"from":1,"to":2}}'
  from generate_series(1, ${Math.ceil(200_000 * share)}) as n,
    lateral (select now() - interval '760 days' * (1 - n / ${Math.ceil(200_000 * share)}::float8) as at) as moment;
  insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
  select org_id, current_date - ago, operation, id, 100, 90, 180
  from api_key, generate_series(0, 365) as ago,
    unnest('{"",selena,upscaling,remove-background,style-dna/generate}'::text[]) as operation
  order by ago desc;
`;

/** @returns seconds that each part took */
export async function seed(admin: pg.Client, { artworks, entries }: Size): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    took[name] = Math.round((performance.now() - began) / 1000);
  };
  // Neither triggers nor foreign keys, which would take most of the time.
  await admin.query(`set session_replication_role = replica; set synchronous_commit = off`);
  await admin.query(`set maintenance_work_mem = '512MB'; set work_mem = '256MB'`);
  await admin.query(functions);
  await timed('accounts', async () => {
    await admin.query(owners);
    await admin.query(records(artworks / 2_000_000));
  });
  await withoutIndexes(admin, timed, async () => {
    await timed('artworks', () => seedArtworks(admin, artworks));
    await timed('ledger', () => seedLedger(admin, { artworks, entries }));
  });
  await timed('vacuum', () => admin.query('vacuum analyze'));
  return took;
}

/** Drops the indexes of the large tables, except for those of constraints, and builds them afterwards. */
async function withoutIndexes(
  admin: pg.Client,
  timed: (name: string, work: () => Promise<unknown>) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await admin.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition
     from pg_indexes
     where tablename in ('artwork', 'ledger_entry')
       and indexname not in (select conname from pg_constraint)`,
  );
  for (const { name } of rows) await admin.query(`drop index "${name}"`);
  await work();
  await timed('indexes', async () => {
    for (const { definition } of rows) await admin.query(definition);
  });
}
