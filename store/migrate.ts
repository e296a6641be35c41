/**
 * Runs the pending migrations while the service runs, one transaction each. Before a migration, its indexes are built and
 * its slices change many rows, in transactions of their own. A statement that waits for a lock makes all
 * later statements on the table wait, so it gives up after half a second, and the migration begins again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { codeOf } from '../runtime/error-code.ts';
import { postgresOptions } from '../runtime/postgres-url.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { entities } from './entities.ts';
import { lockMigrations } from './migration-lock.ts';
import { migrations } from './migrations/index.ts';
import type { MigrationStep } from './migrations/migration-step.ts';
import { buildIndex } from './online-index.ts';
import { closeSocket, removeBrokenConnections } from './pool.ts';
import { whileResponding } from './server-watch.ts';

/** Milliseconds. */
const connectionTimeout = 10_000;
/** Milliseconds that a statement may wait for a lock: less than a request waits for the database. */
const lockTimeout = 500;
/** Milliseconds before a migration begins again, in which the requests that waited continue. */
const pause = 1000;
/** Milliseconds after which a migration that gets no lock fails. */
const longest = 5 * 60_000;

interface Limits {
  /** Milliseconds to wait while another process migrates. */
  turn: number;
  /** Milliseconds without a response after which the server counts as lost. */
  silence: number;
}

const defaultLimits: Limits = { turn: longest, silence: 30_000 };

const variable = 'ATELIER_DATABASE_DIRECT_URL or DATABASE_URL';
const name = 'atelier-migration';

/** @param url the address of PostgreSQL itself, not of a pooler */
export function openForMigration(
  url: string,
  steps: readonly MigrationStep[] = migrations,
  onPoolCreated?: (pool: pg.Pool) => void,
): MikroORM {
  const { ssl, database, ...login } = postgresOptions(url, variable);
  return new MikroORM({
    entities,
    ...login,
    dbName: database,
    ensureDatabase: false,
    driverOptions: {
      ssl,
      application_name: name,
      connectionTimeoutMillis: connectionTimeout,
      lock_timeout: lockTimeout,
      ...(onPoolCreated && { onPoolCreated }),
    },
    extensions: [Migrator],
    migrations: { migrationsList: [...steps], snapshot: false },
    // Triggers and functions exist in the migrations only.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    pool: { min: 0, max: 2 },
    logger: () => undefined,
  });
}

/**
 * Several processes may migrate at once: each migration runs once.
 * @param databaseUrl the address of PostgreSQL itself, not of a pooler
 * @returns the names of the migrations that this call has run
 * @throws Error of a statement; the migrations before it remain. Also when another process migrates for too long, and
 * when the server stops responding.
 */
export async function migrate(
  databaseUrl: string,
  steps: readonly MigrationStep[] = migrations,
  { turn, silence }: Limits = defaultLimits,
): Promise<string[]> {
  const clients: (pg.Client | pg.PoolClient)[] = [];
  const orm = openForMigration(databaseUrl, steps, (pool) => {
    removeBrokenConnections(pool);
    pool.on('connect', (client) => clients.push(client));
  });
  const connection = {
    ...postgresOptions(databaseUrl, variable),
    application_name: name,
    connectionTimeoutMillis: connectionTimeout,
    keepAlive: true,
  };
  const session = new pg.Client(connection);
  clients.push(session);
  // Its next query reports a lost connection.
  session.on('error', () => undefined);
  try {
    await session.connect();
    return await whileResponding(
      connection,
      silence,
      () => clients.forEach(closeSocket),
      async () => {
        await lockMigrations(session, turn);
        return await runPending(session, orm, steps);
      },
    );
  } finally {
    await Promise.all([session.end().catch(() => undefined), orm.close(true)]);
  }
}

async function runPending(session: pg.Client, orm: MikroORM, steps: readonly MigrationStep[]): Promise<string[]> {
  const pending = new Set((await orm.migrator.getPending()).map((one) => one.name));
  const done = steps.filter((step) => pending.has(step.name));
  for (const step of done) {
    for (const index of step.indexes ?? []) await buildIndex(session, index);
    for (const slice of step.slices ?? []) await changeRows(session, step.name, slice);
    await untilUnblocked(step.name, () => orm.migrator.up({ migrations: [step.name] }));
  }
  return done.map((step) => step.name);
}

/** Repeats a statement until it changes no row. Between two of them, requests get the locks of the changed rows. */
async function changeRows(session: pg.Client, migration: string, slice: string): Promise<void> {
  await session.query(`set lock_timeout = ${lockTimeout}`);
  for (let changed: number | null = null; changed !== 0;) {
    await untilUnblocked(migration, async () => {
      changed = (await session.query(slice)).rowCount;
    });
  }
}

async function untilUnblocked(migration: string, run: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + longest;
  for (;;) {
    try {
      await run();
      return;
    } catch (cause) {
      if (!isBlocked(cause)) throw cause;
      if (Date.now() > until) {
        throw new StartupError(
          `${migration} got no lock within ${longest / 60_000} minutes: end the transactions that pg_stat_activity shows as long, and migrate again.`,
          { cause },
        );
      }
      await sleep(pause);
    }
  }
}

/** Returns whether a lock timed out (55P03) or a deadlock was resolved (40P01). */
function isBlocked(error: unknown): boolean {
  return error instanceof Error && (/^(55P03|40P01)$/.test(String(codeOf(error))) || isBlocked(error.cause));
}
