/** Starts PostgreSQL and Temporal before all tests; services start when a test file joins them. */
import { startBackends } from './backends.ts';
import { serveServices, type Services } from './services.ts';
import type { Shared } from './shared.ts';

declare global {
  var backends: { stop(): Promise<void> };
  var services: Services;
}

export default async function setup(): Promise<void> {
  const backends = await startBackends();
  const { folder, postgres, temporal } = backends;
  await publish(backends, { databaseUrl: postgres.url, temporalAddress: temporal.address, folder });
}

/** Passes the servers to the processes that run test files, and to the teardown. */
export async function publish(backends: typeof globalThis.backends, shared: Shared): Promise<void> {
  globalThis.backends = backends;
  globalThis.services = await serveServices(shared);
  // The processes that run test files inherit these.
  process.env['TEST_SERVERS'] = JSON.stringify(shared);
  process.env['TEST_SERVICES_URL'] = globalThis.services.url;
}
