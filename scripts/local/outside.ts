/** Checks the PostgreSQL and the Temporal that the environment names. */
import pg from 'pg';
import { addMissingAttributes, describeNamespace, withConnection } from './temporal-namespace.ts';

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

/** Returns advice for the operator when search attributes could not be added; null otherwise. */
export async function checkOutsideTemporal(address: string, namespace: string): Promise<string | null> {
  try {
    return await withConnection(address, async (connection) => {
      await describeNamespace(connection, namespace);
      return await addMissingAttributes(connection, namespace).then(() => null, adviceFor);
    });
  } catch (cause) {
    const what = `Cannot use the TEMPORAL_ADDRESS ${address} (namespace ${namespace})`;
    throw new Error(`${what}: ${reason(cause)}`, { cause });
  }
}

function adviceFor(error: unknown): string {
  return (
    `The search attributes could not be added (${reason(error)}). ` +
    'Add AtelierOrganization, AtelierOperation, AtelierStatus and AtelierModel, of the type Keyword, yourself.'
  );
}

function withoutPassword(url: string): string {
  const shown = URL.canParse(url) ? new URL(url) : null;
  if (shown === null) return '(not a URL)';
  shown.password = '';
  return shown.href;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return 'details' in error && typeof error.details === 'string' ? error.details : error.message;
}
