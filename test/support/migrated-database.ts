/** Creates databases, usually with all tables: the migrations run once per server, and every further one is a copy. */
import pg from 'pg';
import { ownerUrl, prepareRoles, type Roles } from '../../scripts/cluster/roles.ts';
import { migrate } from '../../store/migrate.ts';

/** Any number that nothing else locks on the server. */
const lock = 2611_2027;

/**
 * Returns the URL of the new database.
 * @param serverUrl names any database of the server
 * @param roles the roles that migrate and use the database; default: the user of the URL
 */
export async function createMigratedDatabase(serverUrl: string, name: string, roles?: Roles): Promise<string> {
  const template = roles ? 'migrated_by_owner' : 'migrated';
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await ensureTemplate(client, { serverUrl, template, roles });
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return withDatabase(serverUrl, name);
}

/** Returns the URL of a new database without tables. @param serverUrl names any database of the server */
export async function createEmptyDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return withDatabase(serverUrl, name);
}

interface Template {
  serverUrl: string;
  template: string;
  roles: Roles | undefined;
}

/** The template gets its name when it is complete, so that a failed migration leaves none. */
async function ensureTemplate(client: pg.Client, { serverUrl, template, roles }: Template): Promise<void> {
  const exists = async () =>
    (await client.query('select from pg_database where datname = $1', [template])).rowCount === 1;
  if (await exists()) return;
  await client.query('select pg_advisory_lock($1)', [lock]);
  try {
    if (await exists()) return;
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft}`);
    await client.query(`create database ${draft}`);
    const url = withDatabase(serverUrl, draft);
    if (roles) await prepareRoles(url, roles);
    await migrate(roles ? ownerUrl(url, roles) : url);
    await client.query(`alter database ${draft} rename to ${template}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]);
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}
