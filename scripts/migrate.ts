/** Prepares the PostgreSQL and the Temporal that the environment names; the first step of a deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../runtime/config.ts';
import { throwExplained } from '../runtime/database-errors.ts';
import { exitOnUncaughtException } from '../runtime/process.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { explainTemporalError } from '../runtime/temporal-errors.ts';
import { migrate } from '../store/migrate.ts';
import { prepareNamespace } from './local/temporal-namespace.ts';

/** Milliseconds that each backend may take to start. */
const timeout = 120_000;

exitOnUncaughtException('migrate');
const { database, temporal } = readConfig();

const names = await untilItSucceeds('PostgreSQL', () =>
  migrate(database.directUrl).catch((cause: unknown) => throwExplained(cause, database)),
);
console.log(`Migrations: ${names.length === 0 ? 'none pending' : names.join(', ')}`);
await untilItSucceeds('Temporal', () => prepareNamespace(temporal).catch(explain));
console.log(`Temporal's namespace ${temporal.namespace} has the search attributes`);

/** @throws StartupError for a failure that no wait can end */
function explain(cause: unknown): never {
  const failure = explainTemporalError(cause, temporal);
  if (failure === null) throw cause;
  const { kind, message } = failure;
  throw kind === 'tls' || kind === 'access' ? new StartupError(message, { cause }) : new Error(message, { cause });
}

// In a deployment, the backends start at the same time.
async function untilItSucceeds<T>(name: string, attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (cause instanceof StartupError) throw cause;
      const reason = `${name} is not ready: ${cause instanceof Error ? cause.message : String(cause)}`;
      if (Date.now() > until) throw new StartupError(reason, { cause });
      console.log(reason);
      await sleep(2000);
    }
  }
}
