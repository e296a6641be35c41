/** Checks the PostgreSQL and the Temporal that the environment names. */
import pg from 'pg';
import { explainDatabaseError } from '../../runtime/database-errors.ts';
import { type DatabaseSettings, directVariable } from '../../runtime/database-settings.ts';
import { postgresOptions } from '../../runtime/postgres-url.ts';
import { explainTemporalError } from '../../runtime/temporal-errors.ts';
import type { TemporalConnection } from '../../runtime/temporal-settings.ts';
import { MissingSearchAttributes } from './search-attributes.ts';
import { prepareNamespace } from './temporal-namespace.ts';

export async function checkOutsidePostgres(database: DatabaseSettings): Promise<void> {
  await checkAddress(database.url, 'DATABASE_URL');
  if (database.isPooled) await checkAddress(database.directUrl, directVariable);
}

async function checkAddress(url: string, variable: string): Promise<void> {
  const client = new pg.Client({ ...postgresOptions(url, variable), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (cause) {
    const failure = explainDatabaseError(cause, url, variable);
    const other = cause instanceof Error ? cause.message : String(cause);
    throw new Error(failure?.message ?? `PostgreSQL refuses the connection of ${variable}: ${other}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns advice for the operator when search attributes are missing and cannot be added; null otherwise. */
export async function checkOutsideTemporal(temporal: TemporalConnection): Promise<string | null> {
  try {
    await prepareNamespace(temporal);
    return null;
  } catch (cause) {
    if (cause instanceof MissingSearchAttributes) return cause.message;
    const failure = explainTemporalError(cause, temporal);
    throw failure === null ? cause : new Error(failure.message, { cause });
  }
}
