/** Measures reads with 2 million artworks and 20 million ledger entries, on a PostgreSQL of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onFreePorts } from '../scripts/local/ports.ts';
import { startPostgres } from '../scripts/local/postgres.ts';
import { findOperations } from '../services/operations.ts';
import { openDatabase } from '../store/database.ts';
import { ApiKey, Artwork } from '../store/entities.ts';
import { findFaults } from '../store/ledger-faults.ts';
import { openLinks } from '../store/links.ts';
import { migrate } from '../store/migrate.ts';
import { openVault } from '../store/vault.ts';
import { printFigures, summarize } from './figures.ts';
import { capture, explain, watchStatements } from './growth/capture.ts';
import { listQueries, otherQueries, type Query, type Subjects } from './growth/queries.ts';
import { largest, seed } from './growth/seed.ts';
import { sweepAll } from './growth/sweep.ts';

/** Milliseconds. */
const limit = 100;
const repetitions = 7;

const settings = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  // The data is thrown away, so a crash may lose it.
  fsync: 'off',
  full_page_writes: 'off',
};

/** @param scale the share of the full size */
export async function benchGrowth(scale: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-growth-'));
  const { started: postgres } = await onFreePorts([26_432], '127.0.0.1', ([port = 0]) =>
    startPostgres({ dataDir: join(folder, 'postgres'), port, logFile: join(folder, 'postgres.log'), settings }),
  );
  const administrator = new URL(postgres.url);
  administrator.username = 'postgres';
  const admin = new pg.Client(administrator.href);
  watchStatements();
  const db = openDatabase({ url: postgres.url, name: 'bench', timeout: 600_000 });
  try {
    await migrate(postgres.url);
    await admin.connect();
    const seconds = await seed(admin, { artworks: 2_000_000 * scale, entries: 20_000_000 * scale });
    printFigures({ 'seconds to seed': JSON.stringify(seconds), ...(await sweepAll(db, admin)) });
    await admin.query('vacuum analyze');
    if ((await findFaults(db)).length > 0) throw new Error('The ledger has faults');
    const subjects = await findSubjects(db);
    const queries = { ...listQueries(subjects), ...otherQueries(subjects) };
    const slow = await measureAll(admin, queries);
    console.log(`\n${Object.keys(queries).length} queries, ${slow.length} above ${limit} ms ${slow.join('; ')}`);
    if (slow.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([db.close(), admin.end()]);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function findSubjects(db: Subjects['db']): Promise<Subjects> {
  const em = db.em();
  const key = (org: string, nth: number) =>
    em.findOneOrFail(ApiKey, { id: `key_${org.slice(4)}${String(nth).padStart(24, '0')}` });
  const [middle] = await em.find(Artwork, { org: largest }, { orderBy: { id: 'asc' }, offset: 1000, limit: 1 });
  return {
    db,
    links: openLinks(openVault('a secret for benchmarks, at least 32 chars'), 'http://127.0.0.1'),
    operations: await findOperations(),
    now: new Date(),
    callers: {
      'largest org': await key(largest, 0),
      'largest org, style-dna': { ...(await key(largest, 1)), scope: 'manager' },
      'other org': await key('org_07', 0),
      'a key': await key(largest, 3),
    },
    artworks: await em.find(
      Artwork,
      { org: largest, id: { $gt: middle?.id ?? '' }, idempotencyKey: { $ne: null } },
      { orderBy: { id: 'asc' }, limit: 100 },
    ),
  };
}

/** Prints one line for each query. Returns the slow ones. */
async function measureAll(admin: pg.Client, queries: Record<string, Query>): Promise<string[]> {
  const slow: string[] = [];
  console.log(`\n   p50    max  query: rows, buffers and scans of its slowest statement`);
  for (const [name, query] of Object.entries(queries)) {
    const statements = await capture(query);
    const times: number[] = [];
    for (let nth = 0; nth < repetitions; nth += 1) {
      const began = performance.now();
      await query();
      times.push(performance.now() - began);
    }
    const { p50 } = summarize(times);
    const isSlow = p50 > limit;
    if (isSlow) slow.push(name);
    const columns = [p50, Math.max(...times)].map((time) => time.toFixed(1).padStart(6)).join(' ');
    console.log(`${columns}  ${isSlow ? 'SLOW ' : ''}${name}: ${await explain(admin, statements)}`);
  }
  return slow;
}
