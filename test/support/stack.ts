/** The service as its users have it: API and worker processes on a database and a task queue of their own. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Demo, ensureDemo } from '../../operator/demo.ts';
import type { Running } from '../../scripts/local/child.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { startService } from '../../scripts/local/service.ts';
import { migrate } from '../../store/migrate.ts';

export interface StackOptions {
  databaseUrl: string;
  temporalAddress: string;
  /** Logs and images go there. */
  folder: string;
  apis?: number;
  workers?: number;
  /** Entry file of the worker, from the root of the project. */
  workerEntry?: string;
  /** Root of the project that runs. */
  root?: string;
  env?: NodeJS.ProcessEnv;
}

export interface Stack extends Demo {
  /** Of the first API. */
  baseUrl: string;
  baseUrls: string[];
  databaseUrl: string;
  taskQueue: string;
  secret: string;
  /** Absolute. */
  dataFolder: string;
  apis: Running[];
  workers: Running[];
  env: NodeJS.ProcessEnv;
  /** Starts one more, or one again. */
  startApi(index?: number, env?: NodeJS.ProcessEnv): Promise<Running>;
  startWorker(env?: NodeJS.ProcessEnv): Promise<Running>;
  stop(): Promise<void>;
}

const secret = 'a secret for tests, at least 32 characters';

/** Tests of other things send what they need at once. */
const most = '1000000';
const noLimits = { ATELIER_RATE_CREATIONS: most, ATELIER_RATE_OTHERS: most, ATELIER_RATE_UNAUTHORIZED: most };

export async function startStack(options: StackOptions): Promise<Stack> {
  const { apis = 1, workers = 1, workerEntry = 'workers/main.ts' } = options;
  const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await createDatabase(options.databaseUrl, name);
  await migrate(databaseUrl);
  const demo = await ensureDemo({ databaseUrl, secret, known: null });
  const dataFolder = join(options.folder, name);
  const ports = await Promise.all(Array.from({ length: apis }, () => claimPort(0)));
  const baseUrls = ports.map(({ port }) => `http://127.0.0.1:${port}`);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_OPTIONS: '',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: options.temporalAddress,
    ATELIER_TASK_QUEUE: name,
    ATELIER_DATA: dataFolder,
    ATELIER_SECRET: secret,
    ATELIER_PUBLIC_URL: baseUrls[0] ?? '',
    ATELIER_ALLOWED_HOSTS: 'localhost,127.0.0.1,::1',
    ...noLimits,
    ...options.env,
  };
  const started: Running[] = [];
  const start = async (entry: string, own: NodeJS.ProcessEnv) => {
    const logFile = join(dataFolder, `${entry.replace(/\W/g, '-')}.log`);
    const running = await startService({ name: entry, entry: join(root, entry), env: { ...env, ...own }, logFile });
    started.push(running);
    return running;
  };
  const startApi = (index = 0, own: NodeJS.ProcessEnv = {}) =>
    start('api/main.ts', { PORT: String(ports[index]?.port), ...own });
  const startWorker = (own: NodeJS.ProcessEnv = {}) => start(workerEntry, own);
  const [runningApis, runningWorkers] = await Promise.all([
    Promise.all(baseUrls.map((_url, index) => startApi(index))),
    Promise.all(Array.from({ length: workers }, () => startWorker())),
  ]);
  return {
    ...demo,
    baseUrl: baseUrls[0] ?? '',
    baseUrls,
    databaseUrl,
    taskQueue: name,
    secret,
    dataFolder,
    apis: runningApis,
    workers: runningWorkers,
    env,
    startApi,
    startWorker,
    async stop() {
      await Promise.all(started.map((running) => running.stop()));
      for (const port of ports) port.release();
    },
  };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}
