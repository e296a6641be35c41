/** Reads the settings of `npm start` from the environment. */
import { resolve } from 'node:path';
import { type DatabaseSettings, readDatabase } from '../../runtime/database-settings.ts';
import { requireSecret } from '../../runtime/secret.ts';
import { readTemporal, type TemporalConnection } from '../../runtime/temporal-settings.ts';

/** Any of these variables names a Temporal to use instead of a local one. */
const outsideTemporal = ['TEMPORAL_ADDRESS', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE'];

export interface StartSettings {
  data: string;
  host: string;
  port: number;
  /** The first port to try for the metrics of the API and the worker; null turns metrics off. */
  metricsPort: number | null;
  publicUrl: string | null;
  /** Null starts a local PostgreSQL. */
  database: DatabaseSettings | null;
  /** Null starts a local Temporal. */
  temporal: TemporalConnection | null;
  /** The namespace of a local Temporal. */
  temporalNamespace: string;
  allowedHosts: string;
  /** Null creates one and stores it in the data folder. */
  secret: string | null;
  /** Still decrypts webhook secrets during a rotation. */
  previousSecret: string | null;
}

export function readStartSettings(env: NodeJS.ProcessEnv): StartSettings {
  const given = (name: string) => env[name] || null;
  const portOf = (name: string, text: string) => {
    const port = Number(text);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`${name} is ${text}. It must be a port: 0 to 65535.`);
    return port;
  };
  const databaseUrl = given('DATABASE_URL');
  const secret = given('ATELIER_SECRET');
  return {
    data: resolve(given('ATELIER_DATA') ?? '.atelier'),
    host: given('HOST') ?? '127.0.0.1',
    port: portOf('PORT', given('PORT') ?? '3000'),
    // The default port of OpenTelemetry's exporters for Prometheus. An empty variable turns metrics off.
    metricsPort: portOf('ATELIER_METRICS_PORT', env['ATELIER_METRICS_PORT'] ?? '9464') || null,
    publicUrl: given('ATELIER_PUBLIC_URL'),
    database: databaseUrl === null ? null : readDatabase(databaseUrl, given('ATELIER_DATABASE_DIRECT_URL') ?? '', env),
    temporal: outsideTemporal.some((name) => given(name) !== null) ? readTemporal(env) : null,
    temporalNamespace: given('TEMPORAL_NAMESPACE') ?? 'default',
    // An empty variable allows none.
    allowedHosts: env['ATELIER_ALLOWED_HOSTS'] ?? 'localhost,127.0.0.1,::1',
    secret: secret === null ? null : requireSecret(secret),
    previousSecret: given('ATELIER_PREVIOUS_SECRET'),
  };
}
