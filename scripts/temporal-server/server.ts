/** Starts a Temporal server as in production: on PostgreSQL, and with TLS if it has certificates. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, spawnChild, type Running } from '../local/child.ts';
import { claimPort, type ClaimedPort } from '../local/ports.ts';
import { dynamicFileContent } from '../local/temporal-settings.ts';
import { tied } from '../local/tied.ts';
import { type FrontendCertificates, serverConfiguration, type ServicePorts, services } from './configuration.ts';
import { prepareDatabases, temporalDatabases } from './databases.ts';
import { type TemporalServerPrograms } from './programs.ts';

export interface TemporalServerOptions {
  programs: TemporalServerPrograms;
  /** Any database of a PostgreSQL server, as a user that may create databases. */
  databaseUrl: string;
  /** The name of the server's database; that of its second database adds `_visibility`. */
  database?: string;
  /** Holds the server's configuration. */
  folder: string;
  logFile: string;
  ip?: string;
  /** The port of the frontend, or the next free one. */
  port?: number;
  historyShards?: number;
  tls?: FrontendCertificates;
  tokenKeys?: string;
  signal?: AbortSignal | undefined;
}

/** A running server. It may need seconds until it accepts requests, and its namespaces have to be registered. */
export interface TemporalServer extends Running {
  readonly address: string;
  readonly child: Child;
}

export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const { programs, folder, logFile, ip = '127.0.0.1', port = 7233, historyShards = 4, tls, tokenKeys } = options;
  const databases = temporalDatabases(options.databaseUrl, options.database ?? 'temporal');
  await prepareDatabases(programs.sqlTool, databases);
  const { ports, release } = await claimPorts(port, ip);
  const config = join(folder, 'config');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const dynamicFile = join(folder, 'dynamic.yaml');
  writeFileSync(dynamicFile, dynamicFileContent());
  const content = serverConfiguration({ databases, historyShards, ip, ports, dynamicFile, tls, tokenKeys });
  // Contains the password of the database.
  writeFileSync(join(config, 'production.yaml'), JSON.stringify(content, null, 2), { mode: 0o600 });
  const run = services.flatMap((service) => ['--service', service]);
  const { command, args } = tied(
    programs.server,
    ['--root', folder, '--config', 'config', '--env', 'production', '--allow-no-auth', 'start', ...run],
    'SIGTERM',
  );
  const child = await spawnChild({ command, args, logFile, signal: options.signal });
  void child.exited.then(release);
  return {
    pid: child.pid,
    exited: child.exited,
    stop: child.stop,
    child,
    address: `${ip}:${ports.frontend.grpc}`,
  };
}

/** Every port is above the first one and below 32768, because PostgreSQL's table of the server's processes is narrow. */
async function claimPorts(first: number, ip: string): Promise<{ ports: ServicePorts; release: () => void }> {
  const claims: ClaimedPort[] = [];
  const claim = async () => {
    const claimed = await claimPort((claims.at(-1)?.port ?? first - 1) + 1, ip);
    claims.push(claimed);
    return claimed.port;
  };
  const pair = async () => ({ grpc: await claim(), membership: await claim() });
  const ports: ServicePorts = {
    frontend: await pair(),
    'internal-frontend': await pair(),
    history: await pair(),
    matching: await pair(),
    worker: await pair(),
  };
  return { ports, release: () => claims.forEach(({ release }) => release()) };
}
