/** Creates keys with credits in the database of a stack, and reads their balances and ledger entries. */
import { expect } from '@jest/globals';
import pg from 'pg';
import { listEntries } from '../../store/credits.ts';
import { findFaults } from '../../store/ledger-faults.ts';
import type { Database } from '../../store/database.ts';
import { findKey, type NewKey } from '../../store/keys.ts';
import { openTestDatabase } from './open-database.ts';
import type { Stack } from './stack.ts';
import { createTestKey, type TestKey } from './test-key.ts';

export interface Accounts {
  db: Database;
  sql: pg.Client;
  /** Creates a key; by default a live generator key with all domains. */
  newKey(fields: Partial<NewKey>): Promise<TestKey>;
  balance(key: TestKey): Promise<number>;
  /** Returns ledger entries such as `reserve -10`, sorted. @param reference default: all references */
  entries(key: TestKey, reference?: string): Promise<string[]>;
  /** Expects that every balance equals the sum of its ledger entries. */
  expectConsistent(): Promise<void>;
  close(): Promise<void>;
}

export async function openAccounts({ databaseUrl, orgId }: Pick<Stack, 'databaseUrl' | 'orgId'>): Promise<Accounts> {
  const db = openTestDatabase(databaseUrl);
  const sql = new pg.Client(databaseUrl);
  await sql.connect();
  return {
    db,
    sql,
    newKey: (fields) => createTestKey(db, { orgId, ...fields }),
    balance: async ({ id }) => (await findKey(db, orgId, id))?.credits ?? NaN,
    async entries({ id }, reference) {
      const entries = await listEntries(db, id, 1000);
      const selected = entries.filter((entry) => reference === undefined || entry.reference === reference);
      return selected.map(({ kind, amount }) => `${kind} ${amount}`).sort();
    },
    expectConsistent: async () => expect(await findFaults(db)).toEqual([]),
    close: async () => void (await Promise.all([db.close(), sql.end()])),
  };
}
