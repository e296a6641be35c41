/** A database with all tables, the demo organization and its admin key, for tests that need no running service. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ensureDemo } from '../../operator/demo.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import { shared } from './shared.ts';

export const secret = 'a secret for tests, at least 32 characters';

export interface OwnDatabase {
  url: string;
  sql: pg.Client;
  /** The organization and its key, for artworks that tests insert. */
  owner: { org: string; key: string };
}

export async function ownDatabase(): Promise<OwnDatabase> {
  const url = await createMigratedDatabase(shared().databaseUrl, `d${randomUUID().replaceAll('-', '')}`);
  const { orgId: org } = await ensureDemo({ databaseUrl: url, secret, known: null });
  const sql = new pg.Client(url);
  await sql.connect();
  const { rows } = await sql.query<{ id: string }>('select id from api_key limit 1');
  return { url, sql, owner: { org, key: rows[0]?.id ?? '' } };
}
