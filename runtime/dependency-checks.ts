/** The health checks that API and worker have in common. */
import type { ConnectionLike } from '@temporalio/client';
import { type Checks, checkTimeout } from './health.ts';

/** The part of a database that its check uses. */
interface Queries {
  em(): { getConnection(): { execute(sql: string): Promise<unknown> } };
}

/** Returns the checks `database` and `temporal`: PostgreSQL and Temporal respond. */
export function dependencyChecks(db: Queries, connection: ConnectionLike): Checks {
  return {
    database: () => db.em().getConnection().execute('select 1'),
    temporal: () =>
      connection.withDeadline(Date.now() + checkTimeout, () => connection.workflowService.getSystemInfo({})),
  };
}

/** The checks that each readiness of an API requires. Reading needs no Temporal, so an outage of it leaves APIs in service. */
export const readiness = {
  '/health/ready': ['database'],
  '/health/ready/creations': ['database', 'temporal'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
