/** Prepares the PostgreSQL and the Temporal that the environment names; the first step of a deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../runtime/config.ts';
import { exitOnUncaughtException } from '../runtime/process.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { migrate } from '../store/migrate.ts';
import { prepareNamespace } from './local/temporal-namespace.ts';

/** Milliseconds that each backend may take to start. */
const timeout = 120_000;
exitOnUncaughtException('migrate');
const { databaseUrl, temporal } = readConfig();

const names = await untilItSucceeds('PostgreSQL', 'DATABASE_URL', () => migrate(databaseUrl));
console.log(`Migrations: ${names.length === 0 ? 'none pending' : names.join(', ')}`);
await untilItSucceeds('Temporal', 'TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE', () =>
  prepareNamespace(temporal.address, temporal.namespace),
);
console.log(`Temporal's namespace ${temporal.namespace} has the search attributes`);

// In a deployment, the backends start at the same time.
async function untilItSucceeds<T>(name: string, setting: string, attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const reason = `${name} is not ready: ${error instanceof Error ? error.message : String(error)}`;
      if (Date.now() > until) throw new StartupError(`${reason}. Check ${setting}.`, { cause: error });
      console.log(reason);
      await sleep(2000);
    }
  }
}
