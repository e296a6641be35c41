/** Creates the two databases of a Temporal server, with their tables. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The server's plugin for PostgreSQL 12 and later. */
export const plugin = 'postgres12';

/** One PostgreSQL server, and the databases that Temporal uses on it. */
export interface TemporalDatabases {
  host: string;
  port: number;
  user: string;
  password: string;
  /** Workflows. */
  main: string;
  /** The list of workflows with their search attributes. */
  visibility: string;
}

/** @param serverUrl names any database of the server, as a user that may create databases */
export function temporalDatabases(serverUrl: string, name: string): TemporalDatabases {
  const { hostname, port, username, password } = new URL(serverUrl);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    main: name,
    visibility: `${name}_visibility`,
  };
}

/**
 * Creates what is missing and updates the tables to the release of the tool.
 * @param sqlTool the path of Temporal's SQL tool
 * @throws Error with the output of the tool
 */
export async function prepareDatabases(sqlTool: string, databases: TemporalDatabases): Promise<void> {
  const { host, port, user, password } = databases;
  for (const [database, schema] of [
    [databases.main, 'temporal'],
    [databases.visibility, 'visibility'],
  ] as const) {
    const login = { SQL_HOST: host, SQL_PORT: String(port), SQL_USER: user, SQL_PASSWORD: password };
    const run = (...args: string[]) =>
      promisify(execFile)(sqlTool, ['--plugin', plugin, '--database', database, ...args], {
        env: { ...process.env, ...login },
      });
    await run('create-database', '--defaultdb', 'postgres');
    await run('setup-schema', '--version', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}
