/** Checks the PostgreSQL and the Temporal that the environment names. */
import pg from 'pg';
import { explainTemporalError } from '../../runtime/temporal-errors.ts';
import type { TemporalConnection } from '../../runtime/temporal-settings.ts';
import { MissingSearchAttributes } from './search-attributes.ts';
import { prepareNamespace } from './temporal-namespace.ts';

export async function checkOutsidePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (cause) {
    throw new Error(`Cannot use the DATABASE_URL ${withoutPassword(url)}: ${reason(cause)}`, { cause });
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

function withoutPassword(url: string): string {
  const shown = URL.canParse(url) ? new URL(url) : null;
  if (shown === null) return '(not a URL)';
  shown.password = '';
  return shown.href;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof AggregateError ? error.errors.map(reason).join('; ') : error.message;
}
