/** Builds an index while the service reads and writes the table. */
import type pg from 'pg';
import { createIndexSql, type OnlineIndex } from './migrations/migration-step.ts';

/**
 * Builds the index unless it exists. An interrupted build leaves an index that PostgreSQL updates but never uses; it is
 * dropped and built again.
 * @param session a connection without a transaction
 */
export async function buildIndex(session: pg.Client, index: OnlineIndex): Promise<void> {
  const { rows } = await session.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [`"${index.name}"`],
  );
  if (rows[0]?.isValid === true) return;
  // Neither statement blocks others while it waits, so both may wait as long as the longest transaction.
  await session.query('set lock_timeout = 0; set statement_timeout = 0');
  if (rows.length > 0) await session.query(`drop index concurrently if exists "${index.name}"`);
  await session.query(createIndexSql(index));
}
