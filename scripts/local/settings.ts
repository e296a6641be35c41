/** What `npm start` takes from the environment. */
import { resolve } from 'node:path';

export interface StartSettings {
  data: string;
  host: string;
  port: number;
  publicUrl: string | null;
  /** Null: a local one is started. */
  databaseUrl: string | null;
  temporalAddress: string | null;
  temporalNamespace: string;
  allowedHosts: string;
  /** Null: one is made and kept in the data folder. */
  secret: string | null;
}

export function readStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const given = (name: string) => env[name] || null;
  const port = Number(given('PORT') ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT is ${env['PORT']}, not a port`);
  return {
    data: resolve(given('ATELIER_DATA') ?? '.atelier'),
    host: given('HOST') ?? '127.0.0.1',
    port,
    publicUrl: given('ATELIER_PUBLIC_URL'),
    databaseUrl: given('DATABASE_URL'),
    temporalAddress: given('TEMPORAL_ADDRESS'),
    temporalNamespace: given('TEMPORAL_NAMESPACE') ?? 'default',
    // Set to nothing it allows none.
    allowedHosts: env['ATELIER_ALLOWED_HOSTS'] ?? 'localhost,127.0.0.1,::1',
    secret: given('ATELIER_SECRET'),
  };
}
