/** Starts PostgreSQL and Temporal before all tests; services start when a test file joins them. */
import { type Backends, startBackends } from './backends.ts';
import { serveServices, type Services } from './services.ts';

declare global {
  var backends: Backends;
  var services: Services;
}

export default async function setup(): Promise<void> {
  const backends = await startBackends();
  globalThis.backends = backends;
  const { folder, postgres, temporal } = backends;
  const services = await serveServices({ databaseUrl: postgres.url, temporalAddress: temporal.address, folder });
  globalThis.services = services;
  // The processes that run test files inherit these.
  process.env['TEST_DATABASE_URL'] = postgres.url;
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
  process.env['TEST_FOLDER'] = folder;
  process.env['TEST_SERVICES_URL'] = services.url;
}
