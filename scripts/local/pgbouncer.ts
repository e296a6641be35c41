/** Starts PgBouncer from Debian's package in front of a PostgreSQL server, in transaction mode unless told otherwise. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type Running, spawnChild } from './child.ts';
import { debianProgram } from './debian-package.ts';
import { postgresAccount } from './postgres-account.ts';
import { waitUntil } from './wait-until.ts';

export interface PgBouncerOptions {
  /** The server behind it: any database of it, with a user and a password. PgBouncer offers all its databases. */
  databaseUrl: string;
  /** The folder of its configuration. It is created if it does not exist. */
  folder: string;
  port: number;
  logFile: string;
  /** Default: `transaction`. */
  mode?: 'transaction' | 'session';
  signal?: AbortSignal | undefined;
}

export interface PgBouncer extends Running {
  readonly port: number;
  /** The given URL, with the address of PgBouncer. */
  readonly url: string;
  /** Sends new transactions to another server with the same users. Connections to the old one end after theirs. */
  switchTo(databaseUrl: string): void;
}

const program = {
  names: ['pgbouncer'],
  debianPackage: 'pgbouncer',
  advice: 'PgBouncer is missing: install it ("apt-get install pgbouncer").',
};

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { databaseUrl, port, logFile, mode = 'transaction', signal } = options;
  const folder = resolve(options.folder);
  const path = await debianProgram(program);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const account = postgresAccount([path, join(folder, 'file')]);
  account.own(folder);
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o600 });
    account.own(file);
    return file;
  };
  const { username, password } = new URL(databaseUrl);
  const users = write('users.txt', `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const configure = (server: string) => write('pgbouncer.ini', configuration({ server, port, mode, users }));
  const server = account.as(path, [configure(databaseUrl)]);
  const child = await spawnChild({ ...server, cwd: '/', logFile, signal });
  const url = new URL(databaseUrl);
  Object.assign(url, { hostname: '127.0.0.1', port: String(port) });
  await waitUntil({ name: 'PgBouncer', child }, () => connect(url.href));
  return {
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
    port,
    url: url.href,
    switchTo(next) {
      configure(next);
      process.kill(child.pid, 'SIGHUP');
    },
  };
}

interface Configuration {
  server: string;
  port: number;
  mode: string;
  users: string;
}

function configuration({ server, port, mode, users }: Configuration): string {
  const { hostname, port: serverPort } = new URL(server);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: mode,
    max_client_conn: 500,
    default_pool_size: 20,
    // The service sends no timeouts of its own to a pooler: a process that freezes must not keep its locks.
    idle_transaction_timeout: 5,
    // Longer than the service waits.
    query_wait_timeout: 10,
    // The default waits 15 seconds before it connects to a server again.
    server_login_retry: 1,
    // After a switch, connections to the old server end when their transaction does.
    server_fast_close: 1,
    log_connections: 0,
    log_disconnections: 0,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n');
}

async function connect(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
