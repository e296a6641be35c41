/** Starts a PostgreSQL server on a local folder. */
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { spawnChild, type Running } from './child.ts';
import { postgresAccount } from './postgres-account.ts';
import { type Binaries, postgresBinaries } from './postgres-binaries.ts';
import { openCluster } from './postgres-cluster.ts';
import { endOrphanedPostgres } from './postgres-orphan.ts';
import { type PostgresTls, postgresTls } from './postgres-tls.ts';
import { waitUntil } from './wait-until.ts';

export interface PostgresOptions {
  /** A server that a killed start left running on this folder is ended first. */
  dataDir: string;
  port: number;
  logFile: string;
  signal?: AbortSignal | undefined;
  /** Default: those of the npm package. */
  binaries?: Binaries;
  /** Default: no TLS. */
  tls?: PostgresTls;
  /** Whether the user of the URL may create roles, as the administrator of a managed PostgreSQL does. Default: false. */
  createsRoles?: boolean;
  /** Further settings of the server. */
  settings?: Readonly<Record<string, string>>;
}

export interface Postgres extends Running {
  readonly port: number;
  readonly url: string;
}

const name = 'atelier';

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, port, logFile, signal, tls, createsRoles = false } = options;
  const folder = resolve(dataDir);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const binaries = options.binaries ?? (await postgresBinaries());
  const account = postgresAccount([binaries.postgres, folder]);
  const cluster = await openCluster(folder, binaries, account);
  await endOrphanedPostgres(cluster.folder);

  const login = { host: '127.0.0.1', port, password: cluster.password, connectionTimeoutMillis: 2000 };
  const encryption = tls === undefined ? {} : postgresTls(folder, tls, account);
  const server = account.as(binaries.postgres, [
    '-D',
    cluster.folder,
    '-p',
    `${port}`,
    ...settings({ ...options.settings, ...encryption }),
  ]);
  const start = async () => {
    const child = await spawnChild({ ...server, cwd: '/', env: { ...process.env, LC_ALL: 'C' }, logFile, signal });
    await waitUntil({ name: 'PostgreSQL', child }, () => ensureDatabase(login, createsRoles));
    return child;
  };
  const child = await whenReleased(start);
  return {
    pid: child.pid,
    exited: child.exited,
    port,
    url: `postgresql://${name}:${cluster.password}@127.0.0.1:${port}/${name}`,
    // SIGINT is PostgreSQL's "fast" stop: it does not wait for its clients.
    stop: (how) => child.stop({ signal: 'SIGINT', ...how }),
  };
}

// After a SIGKILL of the server, the folder is in use until its backends notice.
async function whenReleased<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      const inUse =
        error instanceof Error && /pre-existing shared memory|lock file ".*" already exists/.test(error.message);
      if (!inUse || attempt === 20) throw error;
      await sleep(250);
    }
  }
}

function settings(more: Record<string, string>): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    password_encryption: 'scram-sha-256',
    // No value of a statement, such as a prompt, gets into the log: neither as a parameter nor in the detail of an error.
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Compiling costs more than it saves, because our queries are short.
    jit: 'off',
    // The default syncs every file after a crash, which takes most of the recovery time.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...more,
  };
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

async function ensureDatabase(login: pg.ClientConfig, createsRoles: boolean): Promise<void> {
  const client = new pg.Client({ ...login, user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ role: boolean; db: boolean }>(
      'select exists(select from pg_roles where rolname = $1) as role, exists(select from pg_database where datname = $1) as db',
      [name],
    );
    const password = pg.escapeLiteral(String(login.password));
    if (rows[0]?.role === false) await client.query(`create role ${name} login createdb password ${password}`);
    if (createsRoles) await client.query(`alter role ${name} createrole`);
    if (rows[0]?.db === false) await client.query(`create database ${name} owner ${name}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
