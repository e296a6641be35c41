/** Runs `npm run cluster` as a developer does: a cluster whose processes are restarted when they end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { eventually } from './eventually.ts';
import type { Service } from './stack.ts';

export interface NpmCluster extends Service {
  /** Returns the pid of a process: `api-1`, `worker-1`, `postgres`, `pgbouncer`, `temporal`, `s3`. */
  pid(name: string): number;
  /** Returns what the command has printed. */
  output(): string;
  stop(): Promise<void>;
}

interface DemoFile extends Pick<Service, 'orgId' | 'adminKey' | 'webhookSecret'> {
  baseUrls: string[];
  pids: Record<string, number>;
}

/** Milliseconds for the first start of a machine, which builds the servers. */
const firstStart = 900_000;

export async function runCluster(env: NodeJS.ProcessEnv): Promise<NpmCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-npm-cluster-'));
  // PostgreSQL runs as another user when we are root.
  await chmod(folder, 0o711);
  const data = join(folder, 'data');
  const { NODE_OPTIONS: _ours, ...outer } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/cluster.ts'], {
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
  try {
    const ended = closed.then(() => Promise.reject(new Error(`npm run cluster has ended:\n${output}`)));
    const started = eventually(() => {
      if (!existsSync(join(data, 'demo.json'))) throw new Error(`npm run cluster has not started:\n${output}`);
    }, firstStart);
    await Promise.race([started, ended]);
    const { baseUrls, orgId, adminKey, webhookSecret } = readDemo();
    const variables = parseEnv(readFileSync(join(data, 'cluster.env'), 'utf8'));
    return {
      ...{ orgId, adminKey, webhookSecret, baseUrls, baseUrl: baseUrls[0] ?? '' },
      databaseUrl: variables['ATELIER_DATABASE_DIRECT_URL'] ?? '',
      taskQueue: 'atelier',
      secret: variables['ATELIER_SECRET'] ?? '',
      dataFolder: data,
      env: variables,
      pid: (name) => readDemo().pids[name] ?? NaN,
      output: () => output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
