/** The API warns when PostgreSQL would log values of statements, whatever the reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkLogSettings } from '../../store/check-log-settings.ts';
import { type OwnDatabase, ownDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { shared, startSharedStack } from '../support/shared.ts';

let own: OwnDatabase;
let superuser: pg.Client;

beforeAll(async () => {
  own = await ownDatabase();
  superuser = new pg.Client(Object.assign(new URL(shared().databaseUrl), { username: 'postgres' }).href);
  await superuser.connect();
});
afterAll(async () => {
  await Promise.all([own.sql.end(), superuser.end()]);
});

/** Sets settings for this database only. */
async function set(settings: Record<string, string>): Promise<void> {
  const name = new URL(own.url).pathname.slice(1);
  await superuser.query(`alter database ${name} reset all`);
  for (const [setting, value] of Object.entries(settings))
    await superuser.query(`alter database ${name} set ${setting} = ${pg.escapeLiteral(value)}`);
}

const error = 'log_error_verbosity = terse';
const failed = 'log_parameter_max_length_on_error = 0';
const succeeded = 'log_parameter_max_length = 0';

test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ log_error_verbosity: 'default' }, [error]],
  [{ log_parameter_max_length_on_error: '10' }, [failed]],
  [{ log_parameter_max_length: '-1' }, []],
  [{ log_parameter_max_length: '-1', log_statement: 'ddl' }, []],
  [{ log_parameter_max_length: '-1', log_statement: 'all' }, [succeeded]],
  [{ log_parameter_max_length: '5', log_min_duration_statement: '0' }, [succeeded]],
  [{ log_parameter_max_length: '-1', log_min_duration_sample: '100' }, [succeeded]],
  [{ log_parameter_max_length: '-1', log_transaction_sample_rate: '0.5' }, [succeeded]],
  [{ log_statement: 'all', log_min_duration_statement: '0' }, []],
  [
    { log_error_verbosity: 'verbose', log_parameter_max_length_on_error: '-1', log_parameter_max_length: '-1' },
    [error, failed],
  ],
])('%p', async (settings, changes) => {
  await set(settings);
  const db = openTestDatabase(own.url);
  expect(await checkLogSettings(db)).toEqual(changes);
  await db.close();
});

test('an API logs one warning with the settings to change', async () => {
  await set({ log_error_verbosity: 'default' });
  const stack = await startSharedStack({ database: own.url, workers: 0 });
  const log = readdirSync(stack.dataFolder).find((name) => name.startsWith('api')) ?? '';
  const warnings = () =>
    readFileSync(join(stack.dataFolder, log), 'utf8')
      .split('\n')
      .filter((line) => line.includes('PostgreSQL can write prompts'));
  await eventually(() => expect(warnings()).toHaveLength(1));
  expect(JSON.parse(warnings()[0]!)).toMatchObject({ level: 40, settings: [error] });
  await stack.stop();
});
