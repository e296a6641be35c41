/** Runs `npm start` or `npm run cluster` as a developer does: a service whose processes are restarted when they end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { eventually } from './eventually.ts';
import type { Service } from './stack.ts';

/** `start` is one API and one worker with a local Temporal server; `cluster` is several processes that share no folder. */
export type Form = 'start' | 'cluster';

export interface NpmService extends Service {
  /** Returns the pids by name: `api`, `worker`, `postgres`, `temporal`, or `api-1`, `worker-1`, `pgbouncer`, `s3` …. */
  pids(): Record<string, number>;
  /** Returns the pid of a process; NaN while it does not run. */
  pid(name: string): number;
  /** Returns what the command has printed. */
  output(): string;
  stop(): Promise<void>;
}

interface DemoFile extends Pick<Service, 'orgId' | 'adminKey' | 'webhookSecret' | 'baseUrl'> {
  baseUrls?: string[];
  databaseUrl?: string;
  temporalAddress?: string;
  pids: Record<string, number | number[] | null>;
}

/** Milliseconds for the first start of a machine, which builds the servers. */
const firstStart = 900_000;

export async function runService(form: Form, env: NodeJS.ProcessEnv): Promise<NpmService> {
  const folder = await mkdtemp(join(tmpdir(), `atelier-npm-${form}-`));
  // PostgreSQL runs as another user when we are root.
  await chmod(folder, 0o711);
  const data = join(folder, 'data');
  const { NODE_OPTIONS: _ours, DATABASE_URL: _url, TEMPORAL_ADDRESS: _address, ...outer } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', `scripts/${form}.ts`], {
    env: { ...outer, ...env, ATELIER_DATA: data, PORT: '0', ATELIER_METRICS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  const readDemo = () => JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as DemoFile;
  const pids = () => pidsByName(readDemo());
  try {
    const ended = closed.then(() => Promise.reject(new Error(`The service has ended:\n${output}`)));
    const started = eventually(() => {
      if (!existsSync(join(data, 'demo.json'))) throw new Error(`The service has not started:\n${output}`);
    }, firstStart);
    await Promise.race([started, ended]);
    const demo = readDemo();
    const { baseUrl, baseUrls = [baseUrl], orgId, adminKey, webhookSecret } = demo;
    const variables = variablesOf(data, demo);
    return {
      ...{ orgId, adminKey, webhookSecret, baseUrl, baseUrls },
      databaseUrl: variables['ATELIER_DATABASE_DIRECT_URL'] ?? variables['DATABASE_URL'] ?? '',
      taskQueue: 'atelier',
      secret: variables['ATELIER_SECRET'] ?? '',
      dataFolder: data,
      env: variables,
      pids,
      pid: (name) => pids()[name] ?? NaN,
      output: () => output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the variables with which another process connects to the service's backends. */
function variablesOf(data: string, { databaseUrl, temporalAddress }: DemoFile): NodeJS.ProcessEnv {
  const cluster = join(data, 'cluster.env');
  if (existsSync(cluster)) return parseEnv(readFileSync(cluster, 'utf8'));
  const secret = readFileSync(join(data, 'secret'), 'utf8').trim();
  return { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, ATELIER_SECRET: secret };
}

/** Omits processes that do not run. */
function pidsByName({ pids }: DemoFile): Record<string, number> {
  const found = Object.entries(pids).map(([name, pid]) => [name, Array.isArray(pid) ? pid[0] : pid] as const);
  return Object.fromEntries(found.flatMap(([name, pid]) => (typeof pid === 'number' ? [[name, pid]] : [])));
}
