/** Starts the service as its users run it: API and worker processes on their own database and task queue. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDemo } from '../../operator/demo.ts';
import type { Running, StopOptions } from '../../scripts/local/child.ts';
import { ownFolders, workers as rolesOfWorkers } from '../../scripts/cluster/processes.ts';
import { type Roles, serviceUrl } from '../../scripts/cluster/roles.ts';
import { pooledEnv } from '../../scripts/local/pgbouncer.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { startService } from '../../scripts/local/service.ts';
import { createMigratedDatabase } from './migrated-database.ts';

export interface StackOptions {
  /** Names any database of a PostgreSQL server. */
  databaseUrl: string;
  /** The URL of a database with all tables. Default: a new one on the server. */
  database?: string;
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
  /** The port of a PgBouncer in front of the server. Default: the processes connect to PostgreSQL itself. */
  poolerPort?: number | undefined;
  /** The roles that migrate and use the database. Default: both are the user of `databaseUrl`. */
  roles?: Roles | undefined;
  /** Added to the environment of the workers. */
  workerEnv?: NodeJS.ProcessEnv;
  /**
   * The variables of a cluster's backends. The service then runs as a cluster: with at least two APIs, with workers by
   * role instead of each worker, and with folders of its own for each process.
   */
  cluster?: Readonly<Record<string, string>> | undefined;
}

/** A running service and one organization in it. */
export interface Service {
  orgId: string;
  adminKey: string;
  webhookSecret: string;
  /** The URL of the first API. */
  baseUrl: string;
  baseUrls: string[];
  /** The address of PostgreSQL itself, as its administrator. The processes may have another, that of PgBouncer. */
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
  /** Stops all workers: with SIGTERM unless another signal is given. */
  stopWorkers(how?: StopOptions): Promise<void>;
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
  const { workers = 1, workerEntry = 'workers/main.ts', poolerPort, cluster, roles } = options;
  const apis = Math.max(options.apis ?? 1, cluster ? 2 : 1);
  const root = options.root ?? fileURLToPath(new URL('../..', import.meta.url));
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = options.database ?? (await createMigratedDatabase(options.databaseUrl, name, roles));
  const processUrl = roles ? serviceUrl(databaseUrl, roles) : databaseUrl;
  const { orgId, adminKey, webhookSecret } = await ensureDemo({ databaseUrl: processUrl, secret, known: null });
  if (webhookSecret === null) throw new Error('The database was encrypted with another secret.');
  const dataFolder = join(options.folder, name);
  const ports = await Promise.all(Array.from({ length: apis }, () => claimPort(0)));
  const baseUrls = ports.map(({ port }) => `http://127.0.0.1:${port}`);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_OPTIONS: '',
    ...(poolerPort === undefined ? { DATABASE_URL: processUrl } : pooledEnv(processUrl, poolerPort)),
    TEMPORAL_ADDRESS: options.temporalAddress,
    ATELIER_TASK_QUEUE: name,
    ATELIER_DATA: dataFolder,
    ATELIER_SECRET: secret,
    ATELIER_PUBLIC_URL: baseUrls[0] ?? '',
    ATELIER_ALLOWED_HOSTS: 'localhost,127.0.0.1,::1',
    ...highRates,
    ...cluster,
    ...options.env,
  };
  const started: Running[] = [];
  let processes = 0;
  const start = async (entry: string, own: NodeJS.ProcessEnv) => {
    const logFile = join(dataFolder, `${entry.replace(/\W/g, '-')}.log`);
    const folders = cluster && ownFolders(join(dataFolder, `process-${++processes}`));
    if (folders) mkdirSync(folders.TMPDIR, { recursive: true });
    const processEnv = { ...env, ...folders, ...own };
    const running = await startService({ name: entry, entry: join(root, entry), env: processEnv, logFile });
    started.push(running);
    return running;
  };
  const startApi = (index = 0, own: NodeJS.ProcessEnv = {}) =>
    start('api/main.ts', { PORT: String(ports[index]?.port), ...own });
  const startWorker = (own: NodeJS.ProcessEnv = {}) => start(workerEntry, { ...options.workerEnv, ...own });
  const startWorkers = () =>
    cluster ? rolesOfWorkers.map((roles) => startWorker({ ATELIER_WORKER_ROLES: roles.join() })) : [startWorker()];
  const stopAll = async () => {
    await Promise.all(started.map((running) => running.stop()));
    for (const port of ports) port.release();
  };
  const starting = [
    Promise.all(baseUrls.map((_url, index) => startApi(index))),
    Promise.all(Array.from({ length: workers }, () => startWorkers()).flat()),
  ] as const;
  const [runningApis, runningWorkers] = await Promise.all(starting).catch(async (error: unknown) => {
    // Without this, the processes that did start would keep the test run from ending.
    await Promise.allSettled(starting);
    await stopAll();
    throw error;
  });
  const stack: Stack = {
    ...{ orgId, adminKey, webhookSecret },
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
    async stopWorkers(how) {
      await Promise.all(stack.workers.splice(0).map((worker) => worker.stop(how)));
    },
    stop: stopAll,
  };
  return stack;
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
