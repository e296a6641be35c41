/** Starts PgBouncer from Debian's package in front of a PostgreSQL server, in transaction mode. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import type { KeyPair } from './certificate.ts';
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
  /** Default: no TLS. */
  tls?: PgBouncerTls;
  signal?: AbortSignal | undefined;
}

/** TLS with certificates of both sides, to the clients and to PostgreSQL. PEM. */
export interface PgBouncerTls {
  /** What PgBouncer shows to its clients. */
  server: KeyPair;
  /** What it shows to PostgreSQL. */
  client: KeyPair;
  /** The authority of PostgreSQL's certificate and of those of the clients. */
  authority: string;
}

export interface PgBouncer extends Running {
  readonly port: number;
  /** Sends new transactions to another server with the same users. Connections to the old one end after theirs. */
  switchTo(databaseUrl: string): void;
}

const program = {
  names: ['pgbouncer'],
  debianPackage: 'pgbouncer',
  advice: 'PgBouncer is missing: install it ("apt-get install pgbouncer").',
};

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { databaseUrl, port, logFile, tls, signal } = options;
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
  const encryption = tls === undefined ? {} : tlsSettings(tls, write);
  const configure = (server: string) => write('pgbouncer.ini', configuration({ server, port, users, encryption }));
  const server = account.as(path, [configure(databaseUrl)]);
  const child = await spawnChild({ ...server, cwd: '/', logFile, signal });
  await waitUntil({ name: 'PgBouncer', child }, () => accepts(port));
  return {
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
    port,
    switchTo(next) {
      configure(next);
      process.kill(child.pid, 'SIGHUP');
    },
  };
}

/** Returns the variables by which the service uses a database through the PgBouncer at a port of this machine. */
export function pooledEnv(databaseUrl: string, port: number) {
  const url = new URL(databaseUrl);
  Object.assign(url, { hostname: '127.0.0.1', port: String(port) });
  return { DATABASE_URL: url.href, ATELIER_DATABASE_DIRECT_URL: databaseUrl };
}

type Settings = Readonly<Record<string, string | number>>;

/** @param write writes a file and returns its path */
function tlsSettings({ server, client, authority }: PgBouncerTls, write: (name: string, content: string) => string) {
  const authorityFile = write('authority.pem', authority);
  return {
    client_tls_sslmode: 'verify-full',
    client_tls_ca_file: authorityFile,
    client_tls_cert_file: write('server.pem', server.cert),
    client_tls_key_file: write('server.key', server.key),
    server_tls_sslmode: 'verify-full',
    server_tls_ca_file: authorityFile,
    server_tls_cert_file: write('client.pem', client.cert),
    server_tls_key_file: write('client.key', client.key),
  };
}

interface Configuration {
  /** The URL of PostgreSQL. */
  server: string;
  port: number;
  /** The file with users and passwords. */
  users: string;
  encryption: Settings;
}

function configuration({ server, port, users, encryption }: Configuration): string {
  const { hostname, port: serverPort } = new URL(server);
  const settings: Settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    pool_mode: 'transaction',
    max_client_conn: 500,
    default_pool_size: 20,
    // PgBouncer opens connections one after the other, so that the first requests after a pause would wait.
    min_pool_size: 5,
    // Seconds. Frees the connections of databases that nobody uses any more.
    server_idle_timeout: 30,
    // The service sends no timeouts of its own to a pooler: a process that freezes must not keep its locks.
    // deploy/postgres/atelier-roles.sql bounds its statements.
    idle_transaction_timeout: 5,
    // Longer than the service waits.
    query_wait_timeout: 10,
    // The default waits 15 seconds before it connects to a server again.
    server_login_retry: 1,
    // After a switch, connections to the old server end when their transaction does.
    server_fast_close: 1,
    log_connections: 0,
    log_disconnections: 0,
    ...encryption,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n');
}

/** PgBouncer accepts connections before it has one to PostgreSQL. */
function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
