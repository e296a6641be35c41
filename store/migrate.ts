/** Runs the pending migrations. Several processes may run it at once. */
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { postgresOptions } from '../runtime/postgres-url.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

/** The key of the advisory lock: any number that no other program uses in this database. */
const lock = 2611_2026;

/** Milliseconds. */
const connectionTimeout = 10_000;

/** @param url the address of PostgreSQL itself, not of a pooler */
export function openForMigration(url: string): MikroORM {
  const { ssl, database, ...login } = postgresOptions(url, 'ATELIER_DATABASE_DIRECT_URL or DATABASE_URL');
  return new MikroORM({
    entities,
    ...login,
    dbName: database,
    driverOptions: { ssl, application_name: 'atelier-migration', connectionTimeoutMillis: connectionTimeout },
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, allOrNothing: true },
    // Triggers and functions exist in the migrations only.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    pool: { min: 0, max: 2 },
    logger: () => undefined,
  });
}

/** @returns the names of the migrations that this call has run */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const orm = openForMigration(databaseUrl);
  try {
    return await orm.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [lock]);
      const done = await orm.migrator.up();
      return done.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
  }
}
