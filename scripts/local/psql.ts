/** Runs SQL files with psql, which Debian's package contains. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { postgresOptions } from '../../runtime/postgres-url.ts';
import { debianProgram } from './debian-package.ts';

const program = {
  names: ['psql'],
  debianPackage: 'postgresql-client',
  advice: 'psql is missing: install version 15 or later ("apt-get install postgresql-client").',
};

/**
 * @param file the path of a file for psql
 * @param env the variables that the file reads
 * @throws Error with the output of psql
 */
export async function runSqlFile(
  databaseUrl: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { host, port, user, password, database } = postgresOptions(databaseUrl);
  const login = {
    PGHOST: host,
    PGPORT: String(port || 5432),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
  };
  // Variables of libpq in the environment are about another server.
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  const psql = await debianProgram(program);
  await promisify(execFile)(psql, ['--no-psqlrc', '--quiet', '--file', file], {
    env: { ...Object.fromEntries(outer), ...login, ...env },
  });
}
