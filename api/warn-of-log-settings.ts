/** Warns when PostgreSQL would write values of statements, such as prompts, to its log. */
import type { Logger } from '../runtime/log.ts';
import { checkLogSettings } from '../store/check-log-settings.ts';
import type { Database } from '../store/database.ts';

/** Logs nothing if PostgreSQL cannot be asked, because other checks report that. */
export async function warnOfLogSettings(db: Database, log: Logger): Promise<void> {
  const changes = await checkLogSettings(db).catch(() => []);
  if (changes.length === 0) return;
  log.warn(
    { settings: changes },
    `PostgreSQL can write prompts to its log. Set ${changes.join(', ')} for the whole server; see docs/deploy/postgresql.md.`,
  );
}
