/** Keys with credits, straight from the database of a stack, and what its ledger says of them. */
import { expect } from '@jest/globals';
import pg from 'pg';
import { domains } from '../../schemas/access.ts';
import { findFaults, listEntries } from '../../store/credits.ts';
import type { Database } from '../../store/database.ts';
import { createKey, findKey, type NewKey } from '../../store/keys.ts';
import { openTestDatabase } from './open-database.ts';
import type { Stack } from './stack.ts';

export interface TestKey {
  id: string;
  apiKey: string;
}

export interface Books {
  db: Database;
  sql: pg.Client;
  /** A live generator key with all domains, unless asked for otherwise. */
  newKey(fields: Partial<NewKey>): Promise<TestKey>;
  balance(key: TestKey): Promise<number>;
  /** `reserve -10`, sorted. @param reference of all when not given */
  entries(key: TestKey, reference?: string): Promise<string[]>;
  expectInOrder(): Promise<void>;
  close(): Promise<void>;
}

export async function openBooks({ databaseUrl, orgId }: Pick<Stack, 'databaseUrl' | 'orgId'>): Promise<Books> {
  const db = openTestDatabase(databaseUrl);
  const sql = new pg.Client(databaseUrl);
  await sql.connect();
  const usual = { label: 'test', scope: 'generator', environment: 'live', credits: 0, expiresAt: null } as const;
  return {
    db,
    sql,
    async newKey(fields) {
      const { row, apiKey } = await createKey(db, { ...usual, orgId, domains: [...domains], ...fields }, new Date());
      return { id: row.id, apiKey };
    },
    balance: async ({ id }) => (await findKey(db, orgId, id))?.credits ?? NaN,
    async entries({ id }, reference) {
      const entries = await listEntries(db, id, 1000);
      const asked = entries.filter((entry) => reference === undefined || entry.reference === reference);
      return asked.map(({ kind, amount }) => `${kind} ${amount}`).sort();
    },
    expectInOrder: async () => expect(await findFaults(db)).toEqual([]),
    close: async () => void (await Promise.all([db.close(), sql.end()])),
  };
}
