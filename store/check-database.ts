/** Finds out, when a process starts, why it cannot use its database. */
import { type DatabaseFailure, explainDatabaseError } from '../runtime/database-errors.ts';
import type { Database } from './database.ts';

/** Returns why no connection opens; null if one does, or if the failure is not about the connection. */
export async function checkDatabase(db: Database, url: string): Promise<DatabaseFailure | null> {
  try {
    await db.em().getConnection().execute('select 1');
    return null;
  } catch (error) {
    return explainDatabaseError(error, url);
  }
}
