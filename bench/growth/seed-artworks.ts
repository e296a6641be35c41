/** Inserts artworks of the last eight days, with everything that belongs to them. */
import type pg from 'pg';

/** Returns the `from` clause that gives each row its number, time, organization, key, status and operation. */
const rowsOf = (count: number) => `
  from generate_series(1, ${count}) as n
  cross join lateral (select now() - interval '8 days' * (1 - n / ${count}::float8) as at) as moment
  cross join lateral (select hashint8(n) & 1048575 as dice) as chance
  cross join lateral (select case when n % 2 = 0 then 0 else 1 + dice % 39 end as org) as owner
  cross join lateral (
    select case when org = 0 then 2 + dice % 118 when org = 39 then 2 else 2 + dice % 6 end as key
  ) as caller
  cross join lateral (
    select case
      when n > ${count} - 3000 and n % 3 = 0 then case when n % 9 = 0 then 'STARTING' else 'PROCESSING' end
      when org = 0 then case when dice % 400 = 7 then 'CANCELED' else 'SUCCEEDED' end
      when dice % (10 + 5 * org) = 3 then 'FAILED'
      when dice % 100 = 5 then 'CANCELED'
      else 'SUCCEEDED'
    end as status
  ) as outcome
  cross join lateral (
    select case
      when org > 0 and dice % 20 = 0 then 'style-dna/generate'
      when n < ${count} / 100 and dice % 5 = 1 then 'depth-map'
      when dice % 5 = 2 then 'upscaling'
      when dice % 5 = 3 then 'remove-background'
      else 'selena'
    end as operation
  ) as kind
`;

export async function seedArtworks(admin: pg.Client, count: number): Promise<void> {
  await admin.query(`
    insert into artwork (
      id, org_id, key_id, operation, domain, status, error_code, input, prompt, metadata, webhook_url, idempotency_key,
      request_digest, reserved, charged, event_id, event_body, created_at, started_at, finished_at, expires_at
    )
    select 'art_' || pg_temp.ulid(at, n), 'org_' || lpad(org::text, 2, '0'),
      'key_' || lpad(org::text, 2, '0') || lpad(key::text, 24, '0'), operation,
      case when operation like 'style-dna/%' then 'style-dna' else 'artworks-internal' end, status,
      case when status = 'FAILED' then 'provider_rejected' end,
      jsonb_build_object('prompt', repeat('a boat ', 20), 'style', 'oil', 'seed', n), repeat('a boat ', 20), '{}',
      'https://example.com/hook', case when n % 4 = 0 then decode(md5(n::text), 'hex') end,
      case when n % 4 = 0 then decode(md5('r' || n), 'hex') end, 2, case when status = 'SUCCEEDED' then 2 else 0 end,
      case when is_ended then 'evt_' || n end, case when is_ended then repeat('event ', 120) end,
      at, at + interval '1 second', case when is_ended then at + interval '20 seconds' end, at + interval '8 days'
    ${rowsOf(count)}
    cross join lateral (select status not in ('STARTING', 'PROCESSING') as is_ended) as ending
    order by n
  `);
  await admin.query(`
    insert into image (artwork_id, name, role, content_type, width, height, bytes, sha256, seed, model)
    select id, 'image-1.png', 'image', 'image/png', 1024, 1024, 1000000, md5(id) || md5(id), 7, 'model'
    from artwork where status = 'SUCCEEDED'
  `);
  await admin.query(`
    insert into call_result (artwork_id, call, model, attempt, started_at, finished_at)
    select id, 'image-1', 'model', 1, started_at, finished_at from artwork where status = 'SUCCEEDED'
  `);
  await admin.query(`
    insert into failed_try (artwork_id, call, engine, attempt, started_at, ended_at, code)
    select id, 'image-1', 'engine', n, started_at, finished_at, 'provider_rejected'
    from artwork, generate_series(1, 3) as n where status = 'FAILED'
  `);
  await admin.query(`
    insert into delivery (artwork_id, attempt, at, url, status, duration_ms, next_at)
    select id, 1, finished_at, webhook_url, case when is_due then 500 else 200 end, 80,
      case when is_due then now() + interval '1 hour' end
    from artwork
    cross join lateral (select finished_at > now() - interval '1 day' and hashtext(id) % 50 = 0 as is_due) as due
    where finished_at is not null
  `);
  await admin.query(`
    insert into due_delivery (artwork_id, due_at)
    select artwork_id, next_at from delivery where next_at is not null
  `);
  await admin.query(`
    insert into uploaded_file (id, org_id, key_id, content_type, width, height, bytes, created_at, expires_at)
    select 'file_' || substr(id, 5), org_id, key_id, 'image/png', 1024, 1024, 1000000, created_at, expires_at
    from artwork where hashtext(id) % 40 = 0
  `);
}
