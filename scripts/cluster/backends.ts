/** Starts the backends of a cluster on this machine, as in production: PostgreSQL, PgBouncer, a Temporal server with mTLS and an S3 store. */
import { readTemporal } from '../../runtime/temporal-settings.ts';
import type { Running } from '../local/child.ts';
import { claimPort, onSamePorts } from '../local/ports.ts';
import { startPgBouncer } from '../local/pgbouncer.ts';
import { startPostgres } from '../local/postgres.ts';
import { startS3 } from '../local/s3-server.ts';
import { prepareNamespace } from '../local/temporal-namespace.ts';
import { waitUntil } from '../local/wait-until.ts';
import { registerNamespace } from '../temporal-server/namespace.ts';
import { temporalServerPrograms } from '../temporal-server/programs.ts';
import { startTemporalServer } from '../temporal-server/server.ts';
import { writeCertificates } from './certificates.ts';
import { newRoles, prepareRoles, type Roles, serviceUrl } from './roles.ts';

export interface ClusterBackends {
  /** PostgreSQL itself, as its administrator, who may create databases and roles but is no superuser. */
  databaseUrl: string;
  roles: Roles;
  /** The port of PgBouncer, which offers all databases of PostgreSQL to the role of the service. */
  poolerPort: number;
  temporalAddress: string;
  /** The variables that every process of the cluster needs, except for its database. */
  env: Readonly<Record<string, string>>;
}

type Progress = (what: string) => void;

export interface Backend<R extends Running> {
  name: string;
  title: string;
  logFile: string;
  start: (signal: AbortSignal, progress: Progress) => Promise<R>;
}

/** Starts a backend, and stops it with the cluster. */
export type StartBackend = <R extends Running>(backend: Backend<R>) => Promise<R>;

export interface ClusterOptions {
  /** Returns the path of a file or a folder of a backend. */
  file: (...names: string[]) => string;
  /** Returns the path of a log. */
  logFile: (name: string) => string;
  startBackend: StartBackend;
}

const namespace = 'atelier';
/** Milliseconds for which closed workflows can be read. */
const retention = 3 * 24 * 3_600_000;
/** The ports that are tried first. Temporal's are below 32768, as its tables require. */
const first = { postgres: 25_432, pgbouncer: 26_432, s3: 27_070, temporal: 21_233 };
const bucket = 'atelier';
/** PgBouncer keeps connections for each database, and Temporal has two databases. */
const settings = { max_connections: '500' };

export async function startClusterBackends(options: ClusterOptions): Promise<ClusterBackends> {
  const roles = newRoles();
  const databases = startDatabase(options).then(async (databaseUrl) => {
    await prepareRoles(databaseUrl, roles);
    const [poolerPort, temporal] = await Promise.all([
      startPooler(options, serviceUrl(databaseUrl, roles)),
      startTemporal(options, databaseUrl),
    ]);
    return { databaseUrl, poolerPort, temporal };
  });
  const [{ databaseUrl, poolerPort, temporal }, s3] = await Promise.all([databases, startStore(options)]);
  return { databaseUrl, roles, poolerPort, temporalAddress: temporal.address, env: { ...temporal.env, ...s3.env } };
}

export async function startStore({ file, logFile, startBackend }: ClusterOptions) {
  const log = logFile('s3');
  let port: number | null = null;
  return await startBackend({
    name: 's3',
    title: 'S3 store',
    logFile: log,
    async start(signal, progress) {
      const free = port ?? (await claimPort(first.s3)).port;
      port = free;
      return await startS3({ folder: file('buckets'), port: free, bucket, logFile: log, progress, signal });
    },
  });
}

async function startDatabase({ file, logFile, startBackend }: ClusterOptions): Promise<string> {
  const log = logFile('postgres');
  const { url } = await startBackend({
    name: 'postgres',
    title: 'PostgreSQL',
    logFile: log,
    start: onSamePorts([first.postgres], ([port = 0], signal) =>
      startPostgres({ dataDir: file('postgres'), port, logFile: log, signal, createsRoles: true, settings }),
    ),
  });
  return url;
}

async function startPooler({ file, logFile, startBackend }: ClusterOptions, databaseUrl: string): Promise<number> {
  const log = logFile('pgbouncer');
  const { port: poolerPort } = await startBackend({
    name: 'pgbouncer',
    title: 'PgBouncer',
    logFile: log,
    start: onSamePorts([first.pgbouncer], ([port = 0], signal) =>
      startPgBouncer({ databaseUrl, folder: file('pgbouncer'), port, logFile: log, signal }),
    ),
  });
  return poolerPort;
}

/** Temporal keeps its workflows in the same PostgreSQL, in databases of its own, without PgBouncer. */
export async function startTemporal({ file, logFile, startBackend }: ClusterOptions, databaseUrl: string) {
  const { frontend, clientEnv } = writeCertificates(file('certificates'));
  const log = logFile('temporal');
  let port = first.temporal;
  const { address } = await startBackend({
    name: 'temporal',
    title: 'Temporal',
    logFile: log,
    async start(signal, progress) {
      const programs = await temporalServerPrograms({ progress, signal });
      progress('');
      const server = await startTemporalServer({
        ...{ programs, databaseUrl, folder: file('temporal'), logFile: log, port },
        ...{ tls: frontend, signal },
      });
      port = Number(server.address.split(':')[1]);
      const connection = readTemporal(envOf(server.address, clientEnv));
      await waitUntil({ name: 'Temporal', child: server.child }, async () => {
        await registerNamespace(connection, retention);
        await prepareNamespace(connection);
      });
      return server;
    },
  });
  return { address, env: envOf(address, clientEnv) };
}

const envOf = (address: string, clientEnv: Readonly<Record<string, string>>) => ({
  ...clientEnv,
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
});
