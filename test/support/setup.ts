/** Before all tests: one PostgreSQL and one Temporal server for the run. */
import { type Backends, startBackends } from './backends.ts';

declare global {
  var backends: Backends;
}

export default async function setup(): Promise<void> {
  const backends = await startBackends();
  globalThis.backends = backends;
  // Test files run in other processes, which inherit these.
  process.env['TEST_DATABASE_URL'] = backends.postgres.url;
  process.env['TEST_TEMPORAL_ADDRESS'] = backends.temporal.address;
  process.env['TEST_FOLDER'] = backends.folder;
}
