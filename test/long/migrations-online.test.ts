/** Migrations of a table with a million rows while the last release and this one serve requests: no request fails. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { migrate } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import type { MigrationStep } from '../../store/migrations/migration-step.ts';
import { call, create } from '../support/client.ts';
import { installLastRelease } from '../support/last-release.ts';
import { shared } from '../support/shared.ts';
import { type FurtherApi, type Stack, startFurtherApi, startStack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';

// The first run on a machine installs the last release.
jest.setTimeout(600_000);

let lastRelease: Stack;
/** Undefined until the tables are those of this release. */
let thisRelease: FurtherApi | undefined;
let sql: pg.Client;

const rows = 1_000_000;

/** Undoes the last two migrations of 2.6.2, those of environments and that of limits, so that they run again on the large table. */
const undo = `
  drop index artwork_key_id_id_index, artwork_unfinished_index, artwork_expires_at_index;
  drop function tell_progress, tell_removal, set_environment cascade;
  alter table organization drop column limits;
  alter table artwork drop column environment;
  alter table style drop column environment;
  alter table uploaded_file drop column environment;
  alter table "usage" drop column environment;
  delete from mikro_orm_migrations
  where name in (
    '0008-feed', '0009-census', '0017-environments', '0018-existing-environments', '0021-organization-limits'
  );
`;

/** A test key has every fifth artwork. */
const fill = `
  insert into api_key (
    id, org_id, hash, prefix, label, scope, domains, environment, credits, usage_count, created_at
  )
  select 'key_test', org_id, '\\x00', prefix, label, scope, domains, 'test', 0, 0, created_at from api_key limit 1;
  insert into artwork (
    id, org_id, key_id, operation, domain, status, input, metadata, created_at, finished_at, expires_at
  )
  select 'art_' || lpad(n::text, 26, '0'), org_id, case n % 5 when 1 then 'key_test' else id end, 'selena', 'artworks-internal', 'SUCCEEDED', '{"prompt":"a boat"}',
    '{}', now() - n * interval '1 second', now(), now() + interval '8 days'
  from generate_series(1, ${rows}) as n, (select id, org_id from api_key where environment = 'live' limit 1) as owner
`;

beforeAll(async () => {
  lastRelease = await startStack({ ...shared(), ...timed({}), root: await installLastRelease(), workers: 0 });
  sql = new pg.Client(lastRelease.databaseUrl);
  await sql.connect();
  await sql.query(undo);
  await sql.query(fill);
  await sql.query('analyze artwork');
});
afterAll(async () => {
  await sql?.end();
  await thisRelease?.stop();
  await lastRelease?.stop();
});

interface Load {
  failures: unknown[];
  /** Milliseconds of each response. */
  times: number[];
  stop(): Promise<void>;
}

/** Creates, reads and lists artworks at the APIs that run until it is stopped. */
function startLoad(): Load {
  const load = { failures: [] as unknown[], times: [] as number[] };
  let isRunning = true;
  const body = { prompt: 'a boat on a lake', width: 256, height: 256 };
  const client = async (service: Stack | FurtherApi, nth: number) => {
    const { baseUrl, adminKey: key } = service;
    const read = `art_${String(1000 * (nth + 1)).padStart(26, '0')}`;
    const requests = [
      () => call(`${baseUrl}/v2/artworks/${read}`, { key }),
      () => call(`${baseUrl}/v2/artworks/selena`, { method: 'POST', key, body }),
      () => call(`${baseUrl}/v2/artworks?limit=20`, { key }),
    ];
    while (isRunning) {
      for (const request of requests) {
        const start = performance.now();
        const { status, body: answer } = await request();
        load.times.push(performance.now() - start);
        if (status !== 200 && status !== 202) load.failures.push({ status, answer, read });
      }
      await delay(20);
    }
  };
  const services = thisRelease ? [lastRelease, thisRelease] : [lastRelease];
  const clients = services.flatMap((service) => [0, 1].map((nth) => client(service, nth)));
  return {
    ...load,
    async stop() {
      isRunning = false;
      await Promise.all(clients);
    },
  };
}

class AddNote extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" add column "note" text null, add column "revision" int not null default 0`);
    this.addSql(`alter table "artwork" add constraint "artwork_revision_check" check ("revision" >= 0) not valid`);
  }
}

class ValidateRevision extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" validate constraint "artwork_revision_check"`);
  }
}

/** The kinds of changes that further releases make. */
const further: MigrationStep[] = [
  {
    name: '9998-note',
    class: AddNote,
    indexes: [{ name: 'artwork_operation_created_at_index', definition: 'on "artwork" ("operation", "created_at")' }],
  },
  { name: '9999-validate', class: ValidateRevision },
];

const all = [...migrations, ...further];

/** Milliseconds for which a transaction keeps its lock after the migration has begun to wait for it. */
const keptLock = 3000;

/**
 * Locks the table as a backup does, from before the migration until it has waited for the lock, so that the migration
 * cannot begin at once. Returns whether it has waited.
 */
async function runBackup(migrating: Promise<unknown>): Promise<boolean> {
  const backup = new pg.Client(lastRelease.databaseUrl);
  await backup.connect();
  await backup.query('begin; lock table artwork in access share mode');
  let isOver = false;
  const over = () => (isOver = true);
  migrating.then(over, over);
  const waits = async () => {
    const { rowCount } = await sql.query(
      `select from pg_stat_activity where application_name = 'atelier-migration' and wait_event = 'relation'`,
    );
    return rowCount !== 0;
  };
  let hasWaited = false;
  while (!isOver && !hasWaited) hasWaited = await waits();
  if (hasWaited) await delay(keptLock);
  await backup.query('commit');
  await backup.end();
  return hasWaited;
}

describe('while the last release runs', () => {
  test.each([
    ['0008-feed', false],
    ['0009-census', false],
    ['0017-environments', true],
    ['0018-existing-environments', false],
    ['0021-organization-limits', false],
  ])('no request fails during %s', expectNoFailure);

  test('every artwork has the environment of its key', async () => {
    const { rows: counts } = await sql.query(
      `select environment, count(*)::int from artwork where key_id = 'key_test' group by 1`,
    );
    expect(counts).toEqual([{ environment: 'test', count: rows / 5 }]);
    const { rowCount } = await sql.query(
      `select from artwork where key_id <> 'key_test' and environment = 'test' limit 1`,
    );
    expect(rowCount).toBe(0);
  });
});

describe('while both releases run', () => {
  beforeAll(async () => {
    thisRelease = await startFurtherApi(lastRelease, {});
  });

  test.each([
    ['9998-note', true],
    ['9999-validate', false],
  ])('no request fails during %s', expectNoFailure);

  test('every index is valid afterwards, and the service continues', async () => {
    const { rows: invalid } = await sql.query('select indexrelid::regclass from pg_index where not indisvalid');
    expect(invalid).toEqual([]);
    expect(await create(thisRelease ?? lastRelease, { prompt: 'a boat on a lake' })).toMatchObject({
      status: 'STARTING',
    });
  });
});

async function expectNoFailure(name: string, needsExclusiveLock: boolean): Promise<void> {
  const load = startLoad();
  await delay(500);
  const until = all.findIndex((step) => step.name === name) + 1;
  const start = performance.now();
  const migrating = migrate(lastRelease.databaseUrl, all.slice(0, until));
  const hasWaited = await runBackup(migrating);
  expect(await migrating).toEqual([name]);
  const took = Math.round(performance.now() - start);
  await delay(500);
  await load.stop();
  const slowest = Math.round(Math.max(...load.times));
  console.info(`${name}: ${took} ms, ${load.times.length} requests, the slowest ${slowest} ms`);
  expect(load.failures).toEqual([]);
  expect(load.times.length).toBeGreaterThan(50);
  if (needsExclusiveLock) expect(hasWaited).toBe(true);
}
