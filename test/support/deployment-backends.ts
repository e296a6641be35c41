/** The backends of a deployment, each on a folder of its own: PostgreSQL of Debian's package, a Temporal server, an S3 server. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTemporal } from '../../runtime/temporal-settings.ts';
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
import { runCommands } from './page-commands.ts';

export type Backend = 'postgres' | 'temporal' | 's3';

export interface DeploymentBackends {
  /** The major version of PostgreSQL. */
  version: number;
  /** Folders of PostgreSQL, the S3 server, and the backups. */
  folders: Record<'cluster' | 'objects' | 'backups', string>;
  running: ReadonlyMap<Backend, Running>;
  /** The URL of Atelier's database. */
  databaseUrl(): string;
  /** The variables by which the service finds Temporal and the objects. */
  env(): Readonly<Record<string, string>>;
  /** Runs commands as the account of PostgreSQL, with the variables that the page names. Returns their output. */
  asPostgres(script: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Starts PostgreSQL on its folder; on a new one, as after the installation, if the folder is missing. */
  startPostgres(settings?: Readonly<Record<string, string>>): Promise<void>;
  startS3(): Promise<void>;
  /** Starts Temporal. Creates its databases and its namespace unless they exist. */
  startTemporal(): Promise<void>;
  stop(): Promise<void>;
}

const namespace = 'atelier';
/** Milliseconds for which closed workflows can be read. */
const retention = 24 * 3_600_000;

/** Starts nothing. @param folder an existing folder that every account can enter */
export async function prepareBackends(folder: string): Promise<DeploymentBackends> {
  const at = (name: string) => join(folder, name);
  const programs = await temporalServerPrograms({ progress: throttledProgress() });
  const binaries = await debianPostgres();
  const account = postgresAccount([binaries.postgres, at('postgres')]);
  const folders = { cluster: join(at('postgres'), 'cluster'), objects: at('objects'), backups: at('backups') };
  for (const path of [folders.backups, join(folders.backups, 'wal')]) {
    mkdirSync(path);
    account.own(path);
  }
  const [postgresPort, s3Port] = [await claimPort(25_832), await claimPort(27_370)];
  const temporalPort = 21_733;
  const running = new Map<Backend, Running>();
  let login = { url: '', password: '' };
  let env: Readonly<Record<string, string>> = {};

  const asPostgres = (script: string, own: NodeJS.ProcessEnv = {}) => {
    const address = { PGHOST: '127.0.0.1', PGPORT: String(postgresPort.port) };
    const paths = { PATH: `${binaries.folder}:${process.env['PATH']}`, PGDATA: folders.cluster };
    const user = { PGUSER: 'postgres', PGPASSWORD: login.password };
    return runCommands(script, { ...address, ...paths, ...user, BACKUPS: folders.backups, ...own }, account.as);
  };
  return {
    ...{ version: binaries.version, folders, running, asPostgres },
    databaseUrl: () => login.url,
    env: () => env,
    async startPostgres(settings = {}) {
      const place = { dataDir: at('postgres'), port: postgresPort.port, logFile: at('postgres.log') };
      const server = await startPostgres({ ...place, binaries, settings });
      running.set('postgres', server);
      const password = readFileSync(join(dirname(folders.cluster), 'password'), 'utf8').trim();
      if (login.password === '') login = { url: server.url, password };
      if (login.password === password) return;
      // As at an installation: the superuser has the password that the operator knows.
      const change = `psql --dbname=postgres --command="alter role postgres password '${login.password}'"`;
      await asPostgres(change, { PGPASSWORD: password });
    },
    async startS3() {
      const options = { folder: folders.objects, port: s3Port.port, bucket: 'atelier', logFile: at('s3.log') };
      const server = await startS3({ ...options, progress: throttledProgress() });
      running.set('s3', server);
      env = { ...env, ...server.env };
    },
    async startTemporal() {
      mkdirSync(at('temporal'), { recursive: true });
      const options = { programs, folder: at('temporal'), logFile: at('temporal.log'), port: temporalPort };
      const server = await startTemporalServer({ ...options, databaseUrl: login.url });
      running.set('temporal', server);
      const temporal = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: namespace };
      await waitUntil({ name: 'Temporal', child: server.child }, () =>
        registerNamespace(readTemporal(temporal), retention),
      );
      env = { ...env, ...temporal };
    },
    async stop() {
      for (const name of ['temporal', 's3', 'postgres'] as const) await running.get(name)?.stop();
      for (const { release } of [postgresPort, s3Port]) release();
    },
  };
}
