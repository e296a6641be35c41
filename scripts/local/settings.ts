/** Reads the settings of `npm start` from the environment. */
import { resolve } from 'node:path';

export interface StartSettings {
  data: string;
  host: string;
  port: number;
  /** The first port to try for the metrics of the API and the worker; null turns metrics off. */
  metricsPort: number | null;
  publicUrl: string | null;
  /** Null starts a local PostgreSQL. */
  databaseUrl: string | null;
  /** Null starts a local Temporal. */
  temporalAddress: string | null;
  temporalNamespace: string;
  allowedHosts: string;
  /** Null creates one and stores it in the data folder. */
  secret: string | null;
}

export function readStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const given = (name: string) => env[name] || null;
  const portOf = (name: string, text: string) => {
    const port = Number(text);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`${name} is ${text}. It must be a port: 0 to 65535.`);
    return port;
  };
  return {
    data: resolve(given('ATELIER_DATA') ?? '.atelier'),
    host: given('HOST') ?? '127.0.0.1',
    port: portOf('PORT', given('PORT') ?? '3000'),
    // The default port of OpenTelemetry's exporters for Prometheus. An empty variable turns metrics off.
    metricsPort: portOf('ATELIER_METRICS_PORT', env['ATELIER_METRICS_PORT'] ?? '9464') || null,
    publicUrl: given('ATELIER_PUBLIC_URL'),
    databaseUrl: given('DATABASE_URL'),
    temporalAddress: given('TEMPORAL_ADDRESS'),
    temporalNamespace: given('TEMPORAL_NAMESPACE') ?? 'default',
    // An empty variable allows none.
    allowedHosts: env['ATELIER_ALLOWED_HOSTS'] ?? 'localhost,127.0.0.1,::1',
    secret: given('ATELIER_SECRET'),
  };
}
