/** Starts the service as its users run it: API and worker processes on their own database and task queue. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Demo, ensureDemo } from '../../operator/demo.ts';
import type { Running } from '../../scripts/local/child.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { startService } from '../../scripts/local/service.ts';
import { createMigratedDatabase } from './migrated-database.ts';

export interface StackOptions {
  databaseUrl: string;
  temporalAddress: string;
  /** The folder of logs and images. */
  folder: string;
  apis?: number;
  workers?: number;
  /** The worker's entry file, relative to the root. */
  workerEntry?: string;
  /** The root of the project that runs. */
  root?: string;
  env?: NodeJS.ProcessEnv;
  /** Added to the environment of the workers. */
  workerEnv?: NodeJS.ProcessEnv;
}

/** A running service and one organization in it. */
export interface Service extends Demo {
  /** The URL of the first API. */
  baseUrl: string;
  baseUrls: string[];
  databaseUrl: string;
  taskQueue: string;
  secret: string;
  /** An absolute path. */
  dataFolder: string;
  /** The environment of the processes. */
  env: NodeJS.ProcessEnv;
}

/** A service whose processes the test file may stop and start. */
export interface Stack extends Service {
  apis: Running[];
  workers: Running[];
  /** Starts another API, or restarts one. */
  startApi(index?: number, env?: NodeJS.ProcessEnv): Promise<Running>;
  startWorker(env?: NodeJS.ProcessEnv): Promise<Running>;
  stop(): Promise<void>;
}

const secret = 'a secret for tests, at least 32 characters';

/** One more API process of a service that runs already. */
export interface FurtherApi extends Service {
  pid: number;
  stop(): Promise<void>;
}

/** High enough for tests that do not test the limits. */
const highRate = '1000000';
const highRates = {
  ATELIER_RATE_CREATIONS: highRate,
  ATELIER_RATE_OTHERS: highRate,
  ATELIER_RATE_UNAUTHORIZED: highRate,
};

export async function startStack(options: StackOptions): Promise<Stack> {
  const { apis = 1, workers = 1, workerEntry = 'workers/main.ts' } = options;
  const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await createMigratedDatabase(options.databaseUrl, name);
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
    ...highRates,
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
  const startWorker = (own: NodeJS.ProcessEnv = {}) => start(workerEntry, { ...options.workerEnv, ...own });
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

/** Starts one more API of a running service, with settings of its own. */
export async function startFurtherApi(service: Service, own: NodeJS.ProcessEnv): Promise<FurtherApi> {
  const { port, release } = await claimPort(0);
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = await startService({
    name: 'api/main.ts',
    entry: fileURLToPath(new URL('../../api/main.ts', import.meta.url)),
    env: { ...service.env, PORT: String(port), ATELIER_PUBLIC_URL: baseUrl, ...own },
    logFile: join(service.dataFolder, `api-${port}.log`),
  });
  return {
    ...service,
    pid: api.pid,
    baseUrl,
    baseUrls: [baseUrl],
    async stop() {
      await api.stop();
      release();
    },
  };
}
