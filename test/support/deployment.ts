/** A deployment that a test can destroy and restore: the service, one PostgreSQL server, a Temporal server and object storage. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTemporal } from '../../runtime/temporal-settings.ts';
import { workers as rolesOfWorkers } from '../../scripts/cluster/processes.ts';
import type { Running } from '../../scripts/local/child.ts';
import { debianPostgres } from '../../scripts/local/debian-postgres.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { postgresAccount } from '../../scripts/local/postgres-account.ts';
import { startPostgres } from '../../scripts/local/postgres.ts';
import { startS3 } from '../../scripts/local/s3-server.ts';
import { waitUntil } from '../../scripts/local/wait-until.ts';
import { registerNamespace } from '../../scripts/temporal-server/namespace.ts';
import { temporalServerPrograms } from '../../scripts/temporal-server/programs.ts';
import { startTemporalServer } from '../../scripts/temporal-server/server.ts';
import { throttledProgress } from './backends.ts';
import { type PageCommands, runCommands } from './page-commands.ts';
import { shared } from './shared.ts';
import { type Stack, startStack } from './stack.ts';

export type Part = 'postgres' | 'temporal' | 's3';

export interface Deployment {
  /** Its processes are two APIs and three workers. */
  stack: Stack;
  /** The major version of PostgreSQL. */
  version: number;
  /** Folders of PostgreSQL, the S3 server, and the backups. */
  folders: Record<'cluster' | 'objects' | 'backups', string>;
  /** Runs commands as the account of PostgreSQL, with the variables that the page names. Returns their output. */
  asPostgres(script: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs commands with the environment of the service. Returns their output. */
  asService(script: string): Promise<string>;
  /** Kills all processes of the service, and these parts, as if their machines had vanished. */
  kill(...parts: Part[]): Promise<void>;
  /** Starts PostgreSQL on its folder; on a new one, as after the installation, if the folder is missing. */
  startPostgres(settings?: Readonly<Record<string, string>>): Promise<void>;
  startS3(): Promise<void>;
  /** Starts Temporal. Creates its databases and its namespace unless they exist. */
  startTemporal(): Promise<void>;
  startService(): Promise<void>;
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  page: PageCommands;
  /** Settings of the first PostgreSQL server. */
  settings(backups: string): Readonly<Record<string, string>>;
  env: NodeJS.ProcessEnv;
  /** Added to the environment of the second API. */
  ofSecondApi: NodeJS.ProcessEnv;
}

const namespace = 'atelier';
/** Milliseconds for which closed workflows can be read. */
const retention = 24 * 3_600_000;

export async function startDeployment({ page, settings, env, ofSecondApi }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(join(shared().folder, 'deployment-'));
  const at = (name: string) => join(folder, name);
  // PostgreSQL runs as another user when we are root.
  for (const path of [folder, shared().folder]) chmodSync(path, 0o755);
  const programs = await temporalServerPrograms({ progress: throttledProgress() });
  const binaries = await debianPostgres();
  const account = postgresAccount([binaries.postgres, at('postgres')]);
  const folders = { cluster: join(at('postgres'), 'cluster'), objects: at('objects'), backups: at('backups') };
  for (const path of [folders.backups, join(folders.backups, 'wal')]) {
    mkdirSync(path);
    account.own(path);
  }
  const ports = await Promise.all([claimPort(25_832), claimPort(27_370)]);
  const [postgresPort, s3Port] = ports.map(({ port }) => port) as [number, number];
  const temporalPort = 21_733;
  const running = new Map<Part, Running>();
  let login: { url: string; password: string } | null = null;
  let storeEnv: Readonly<Record<string, string>> = {};
  let temporalAddress = '';
  let stack: Stack;

  const deployment: Omit<Deployment, 'stack'> = {
    version: binaries.version,
    folders,
    asPostgres(script, own = {}) {
      const { password = '' } = login ?? {};
      const libpq = { PGHOST: '127.0.0.1', PGPORT: String(postgresPort), PGUSER: 'postgres', PGPASSWORD: password };
      const paths = { PATH: `${binaries.folder}:${process.env['PATH']}`, BACKUPS: folders.backups };
      return runCommands(script, { ...libpq, ...paths, PGDATA: folders.cluster, ...own }, account.as);
    },
    asService: (script) =>
      runCommands(script, { ...serviceEnv(), BACKUPS: folders.backups, OBJECTS: folders.objects }),
    async kill(...parts) {
      const processes = [...stack.apis.splice(0), ...stack.workers.splice(0), ...parts.map((part) => running.get(part))];
      await Promise.all(processes.map((one) => one?.stop({ signal: 'SIGKILL' })));
      if (parts.includes('postgres')) rmSync(folders.cluster, { recursive: true });
      if (parts.includes('s3')) rmSync(folders.objects, { recursive: true });
    },
    async startPostgres(own = {}) {
      const options = { dataDir: at('postgres'), port: postgresPort, logFile: at('postgres.log'), binaries };
      const server = await startPostgres({ ...options, settings: own });
      running.set('postgres', server);
      const password = readFileSync(join(dirname(folders.cluster), 'password'), 'utf8').trim();
      // As at the installation: the server has the password that the operator knows.
      if (login !== null && login.password !== password) {
        const change = `psql --dbname=postgres --command="alter role postgres password '${login.password}'"`;
        await deployment.asPostgres(change, { PGPASSWORD: password });
      }
      login ??= { url: server.url, password };
    },
    async startS3() {
      const options = { folder: folders.objects, port: s3Port, bucket: 'atelier', logFile: at('s3.log') };
      const server = await startS3({ ...options, progress: throttledProgress() });
      running.set('s3', server);
      storeEnv = server.env;
    },
    async startTemporal() {
      mkdirSync(at('temporal'), { recursive: true });
      const options = { programs, folder: at('temporal'), logFile: at('temporal.log'), port: temporalPort };
      const server = await startTemporalServer({ ...options, databaseUrl: login?.url ?? '' });
      running.set('temporal', server);
      temporalAddress = server.address;
      const connection = readTemporal({ TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace });
      await waitUntil({ name: 'Temporal', child: server.child }, () => registerNamespace(connection, retention));
    },
    async startService() {
      const apis = [0, 1].map((index) => stack.startApi(index, index === 1 ? ofSecondApi : {}));
      const workers = rolesOfWorkers.map((roles) => stack.startWorker({ ATELIER_WORKER_ROLES: roles.join() }));
      stack.apis.push(...(await Promise.all(apis)));
      stack.workers.push(...(await Promise.all(workers)));
    },
    async stop() {
      await stack?.stop();
      for (const part of ['temporal', 's3', 'postgres'] as const) await running.get(part)?.stop();
      for (const { release } of ports) release();
    },
  };
  const serviceEnv = () =>
    (stack as Stack | undefined)?.env ?? {
      ...{ ...process.env, NODE_OPTIONS: '', DATABASE_URL: login?.url, ...storeEnv },
      ...{ TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace },
    };

  await Promise.all([
    deployment.startPostgres(settings(folders.backups)).then(() => deployment.startTemporal()),
    deployment.startS3(),
  ]);
  await deployment.asService(page.block('prepare'));
  const databaseUrl = (login as { url: string } | null)?.url ?? '';
  stack = await startStack({
    ...{ databaseUrl, database: databaseUrl, temporalAddress, folder, env },
    cluster: { ...storeEnv, TEMPORAL_NAMESPACE: namespace },
  });
  await stack.apis.pop()?.stop();
  stack.apis.push(await stack.startApi(1, ofSecondApi));
  return { ...deployment, stack };
}
