/** Prepares the PostgreSQL and the Temporal that the environment names; the first step of a deployment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../runtime/config.ts';
import { migrate } from '../store/migrate.ts';
import { prepareNamespace } from './local/temporal-namespace.ts';

/** Milliseconds that each backend may take to start. */
const timeout = 120_000;
const { databaseUrl, temporal } = readConfig();

const names = await untilItSucceeds('PostgreSQL', () => migrate(databaseUrl));
console.log(`Migrations: ${names.length === 0 ? 'none pending' : names.join(', ')}`);
await untilItSucceeds('Temporal', () => prepareNamespace(temporal.address, temporal.namespace));
console.log(`Temporal's namespace ${temporal.namespace} has the search attributes`);

// In a deployment, the backends start at the same time.
async function untilItSucceeds<T>(name: string, attempt: () => Promise<T>): Promise<T> {
  const until = Date.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > until) throw error;
      console.log(`${name} is not ready: ${error instanceof Error ? error.message : String(error)}`);
      await sleep(2000);
    }
  }
}
