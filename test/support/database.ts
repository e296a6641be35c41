/** A migrated database of its own, with the demo organization and its admin key, for tests of what needs no more. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ensureDemo } from '../../operator/demo.ts';
import { migrate } from '../../store/migrate.ts';
import { shared } from './shared.ts';

export const secret = 'a secret for tests, at least 32 characters';

export interface OwnDatabase {
  url: string;
  sql: pg.Client;
  /** Whose artworks it can hold. */
  owner: { org: string; key: string };
}

export async function ownDatabase(): Promise<OwnDatabase> {
  const url = new URL(shared().databaseUrl);
  const server = new pg.Client(url.href);
  await server.connect();
  url.pathname = `d${randomUUID().replaceAll('-', '')}`;
  await server.query(`create database ${url.pathname.slice(1)}`);
  await server.end();
  await migrate(url.href);
  const { orgId: org } = await ensureDemo({ databaseUrl: url.href, secret, known: null });
  const sql = new pg.Client(url.href);
  await sql.connect();
  const { rows } = await sql.query<{ id: string }>('select id from api_key limit 1');
  return { url: url.href, sql, owner: { org, key: rows[0]?.id ?? '' } };
}
