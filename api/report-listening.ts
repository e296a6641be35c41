/** Logs why the API receives no notifications, so that streams and waiting requests learn of changes late. */
import { explainDatabaseError } from '../runtime/database-errors.ts';
import { type DatabaseSettings, directVariable } from '../runtime/database-settings.ts';
import type { Logger } from '../runtime/log.ts';
import { ListensThroughPooler } from '../store/changes.ts';

/** Returns the `onFailure` of `listenForChanges`. */
export function reportListening({ directUrl, isPooled }: DatabaseSettings, log: Logger): (error: unknown) => void {
  const variable = isPooled ? directVariable : 'DATABASE_URL';
  return (err) => {
    if (err instanceof ListensThroughPooler) {
      const advice = `${variable} leads through a connection pooler, which loses notifications: set ${directVariable} to the address of PostgreSQL itself.`;
      log.error({ failure: 'pooler' }, advice);
      return;
    }
    const failure = explainDatabaseError(err, directUrl, variable);
    if (failure) log.warn({ failure: failure.kind }, failure.message);
    else log.warn({ err }, 'No notifications from PostgreSQL');
  };
}
