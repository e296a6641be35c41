/** Finds settings with which PostgreSQL would write prompts, keys or secrets to its log. */
import type { Database } from './database.ts';

const names = [
  'log_error_verbosity',
  'log_parameter_max_length',
  'log_parameter_max_length_on_error',
  'log_statement',
  'log_min_duration_statement',
  'log_min_duration_sample',
  'log_transaction_sample_rate',
] as const;

type Settings = Record<(typeof names)[number], string>;

/**
 * Returns the changes that keep the values of statements out of PostgreSQL's log, such as
 * `log_error_verbosity = terse`. Statements themselves contain no such values (`bound-values.ts`).
 */
export async function checkLogSettings(db: Database): Promise<string[]> {
  const rows = await db
    .em()
    .execute<{ name: string; setting: string }[]>(`select name, setting from pg_settings where name in (?)`, [names]);
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting])) as Settings;
  return [
    // Otherwise, the detail of an error contains the rejected row.
    ...(found.log_error_verbosity === 'terse' ? [] : ['log_error_verbosity = terse']),
    ...(found.log_parameter_max_length_on_error === '0' ? [] : ['log_parameter_max_length_on_error = 0']),
    ...(found.log_parameter_max_length === '0' || !logsStatements(found) ? [] : ['log_parameter_max_length = 0']),
  ];
}

/** Returns whether successful statements that read or write rows are logged, all or some of them. */
function logsStatements(found: Settings): boolean {
  const isOn = (name: keyof Settings) => Number(found[name]) >= 0;
  return (
    ['mod', 'all'].includes(found.log_statement) ||
    isOn('log_min_duration_statement') ||
    isOn('log_min_duration_sample') ||
    Number(found.log_transaction_sample_rate) > 0
  );
}
