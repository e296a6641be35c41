/** Starts the API and the worker. */
import { fileURLToPath } from 'node:url';
import { tlsParameters } from '../../runtime/postgres-tls.ts';
import type { Context } from './backends.ts';
import { onFreePorts } from './ports.ts';
import { startService } from './service.ts';

const metricsHost = '127.0.0.1';

export interface Backends {
  databaseUrl: string;
  temporalAddress: string;
}

interface Services {
  /** The address of the API. */
  baseUrl: string;
  /** The addresses of the metrics of the API and the worker. */
  metrics: string[];
}

export async function bringUpServices(context: Context, backends: Backends): Promise<Services> {
  const { settings, terminal } = context;
  const { started } = await onFreePorts([settings.port], settings.host, async ([port = 0]) => {
    if (port !== settings.port && settings.port !== 0)
      terminal.line(`! Port ${settings.port} is taken; the API uses ${port}`);
    const metrics = await withMetrics(settings.metricsPort, (ports) => startBoth(context, backends, { port, ports }));
    return { baseUrl: baseUrl(settings.host, port), metrics };
  });
  return started;
}

/** @param start is called with the metrics ports of the API and the worker */
async function withMetrics(wanted: number | null, start: (ports: number[]) => Promise<void>): Promise<string[]> {
  if (wanted === null) {
    await start([0, 0]);
    return [];
  }
  const { ports } = await onFreePorts([wanted, wanted + 1], metricsHost, start);
  return ports.map((port) => `http://${metricsHost}:${port}/metrics`);
}

async function startBoth(
  context: Context,
  backends: Backends,
  { port, ports }: { port: number; ports: number[] },
): Promise<void> {
  const { parts, terminal, data, settings } = context;
  const common = serviceEnv(context, backends, port);
  const add = (name: string, title: string, entry: string, metricsPort = 0) => {
    const env = { ...common, ATELIER_METRICS_HOST: metricsHost, ATELIER_METRICS_PORT: String(metricsPort) };
    const logFile = data.logFile(name);
    const file = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
    const start = (signal: AbortSignal) => startService({ name: title, entry: file, env, logFile, signal });
    return parts.add({ name, title, logFile, start });
  };
  const both = [
    terminal.step(
      'API',
      () => add('api', 'API', 'api/main.ts', ports[0]),
      () => `API on ${settings.host}:${port}`,
    ),
    terminal.step('Worker', () => add('worker', 'Worker', 'workers/main.ts', ports[1])),
  ];
  try {
    await Promise.all(both);
  } catch (error) {
    await parts.stop(['api', 'worker'], true);
    await Promise.allSettled(both);
    throw error;
  }
}

function serviceEnv({ settings, data }: Context, backends: Backends, port: number): NodeJS.ProcessEnv {
  // The services read the variables of your Temporal and PostgreSQL themselves. None of them applies to a local one.
  const local = { TEMPORAL_ADDRESS: backends.temporalAddress, TEMPORAL_NAMESPACE: settings.temporalNamespace };
  const ofTemporal = settings.temporal === null ? { ...withoutTemporal(process.env), ...local } : process.env;
  return {
    ...(settings.database === null ? withoutDatabase(ofTemporal) : ofTemporal),
    HOST: settings.host,
    PORT: String(port),
    ATELIER_PUBLIC_URL: settings.publicUrl ?? baseUrl(settings.host, port),
    DATABASE_URL: backends.databaseUrl,
    ATELIER_DATA: data.path,
    ATELIER_SECRET: settings.secret ?? data.secret(),
    ATELIER_ALLOWED_HOSTS: settings.allowedHosts,
  };
}

/** Returns the environment without the variables of Temporal. */
export const withoutTemporal = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));

const ofDatabase = ['ATELIER_DATABASE_DIRECT_URL', ...Object.values(tlsParameters)] as const;

/** Returns the environment without the variables of PostgreSQL. */
const withoutDatabase = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofDatabase.some((one) => one === name)));

function baseUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
