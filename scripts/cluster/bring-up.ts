/** Runs the steps of `npm run cluster` in order and prints a summary. */
import { migrate } from '../../store/migrate.ts';
import type { Context } from '../local/backends.ts';
import type { Running } from '../local/child.ts';
import { type DemoCredentials, demoOrganization } from '../local/demo.ts';
import { pooledEnv } from '../local/pgbouncer.ts';
import { claimPort } from '../local/ports.ts';
import { type Backend, startClusterBackends } from './backends.ts';
import { apiNames, startProcesses, workerNames } from './processes.ts';
import { ownerUrl, serviceUrl } from './roles.ts';

const backendNames = ['temporal', 's3', 'pgbouncer', 'postgres'];

export const stopOrder = [apiNames, workerNames, ['temporal', 's3', 'pgbouncer'], ['postgres']];

export async function bringUpCluster(context: Context): Promise<void> {
  const { settings, data, parts, terminal, signal } = context;
  const backends = await startClusterBackends({
    file: data.file,
    logFile: data.logFile,
    startBackend: <R extends Running>({ start, ...part }: Backend<R>) =>
      terminal.step(part.title, (progress) => parts.add({ ...part, start: (attempt) => start(attempt, progress) })),
  });
  signal.throwIfAborted();
  const { roles, poolerPort } = backends;
  const databaseUrl = serviceUrl(backends.databaseUrl, roles);
  await terminal.step('Migrations', () => migrate(ownerUrl(backends.databaseUrl, roles)));
  const demo = await demoOrganization(context, databaseUrl);
  signal.throwIfAborted();

  const ports = {
    apis: await claimPorts(settings.port, apiNames.length),
    metrics: await claimPorts(settings.metricsPort ?? 0, apiNames.length + workerNames.length),
  };
  const baseUrls = ports.apis.map((port) => `http://127.0.0.1:${port}`);
  const env = {
    NODE_ENV: 'production',
    ...pooledEnv(databaseUrl, poolerPort),
    ...backends.env,
    ATELIER_PUBLIC_URL: settings.publicUrl ?? baseUrls[0] ?? '',
    ATELIER_SECRET: settings.secret ?? data.secret(),
    ATELIER_ALLOWED_HOSTS: settings.allowedHosts,
  };
  await startProcesses(context, env, ports);
  // The file contains secrets.
  data.writeText('cluster.env', variables(env));
  writeDemoFile(context, baseUrls, demo);
  parts.onChange(() => writeDemoFile(context, baseUrls, demo));
  summary(context, { baseUrls, metricsPorts: ports.metrics, adminKey: demo.adminKey });
}

/** @param first the first port to try for the first of them; 0 for any */
async function claimPorts(first: number, count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let next = first; ports.length < count;) {
    const { port } = await claimPort(next);
    ports.push(port);
    next = first === 0 ? 0 : port + 1;
  }
  return ports;
}

/** Returns the content of a file for `node --env-file`, where a quoted value cannot contain its quote. */
const variables = (env: Readonly<Record<string, string>>) =>
  Object.entries(env)
    .map(([name, value]) => (value.includes("'") ? `${name}="${value}"\n` : `${name}='${value}'\n`))
    .join('');

function writeDemoFile({ data, parts }: Context, baseUrls: readonly string[], demo: DemoCredentials): void {
  const names = [...apiNames, ...workerNames, ...backendNames];
  const pids = Object.fromEntries(names.map((name) => [name, parts.pid(name)]));
  data.write('demo.json', { baseUrl: baseUrls[0], baseUrls, ...demo, pids });
}

interface Addresses {
  baseUrls: readonly string[];
  metricsPorts: readonly number[];
  adminKey: string;
}

function summary({ data, terminal }: Context, { baseUrls, metricsPorts, adminKey }: Addresses): void {
  terminal.line(`
The cluster is up. Its processes share no folder.
  APIs       ${baseUrls.join(', ')}
  Metrics    ${metricsPorts.map((port) => `http://127.0.0.1:${port}/metrics`).join(', ')}
  Data       ${data.path}
  Demo key   ${adminKey}

Create an artwork:
  curl -s ${baseUrls[0]}/v2/artworks/selena -H 'Authorization: Bearer ${adminKey}' \\
    -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{"prompt":"a lighthouse in the evening"}'
Run a command of the operator:
  node --env-file=${data.file('cluster.env')} operator/main.ts engines list

Press Ctrl-C to stop.`);
}
