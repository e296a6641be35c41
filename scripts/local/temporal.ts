/** Starts Temporal's development server with settings that make it fast. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { searchAttributes } from '../../schemas/search-attributes.ts';
import { spawnChild, type Running } from './child.ts';
import { prepareNamespace } from './temporal-namespace.ts';
import { temporalSettings } from './temporal-settings.ts';
import { tied } from './tied.ts';
import { waitUntil } from './wait-until.ts';

export interface TemporalOptions {
  /** The Temporal CLI. */
  cli: string;
  /** Null keeps everything in memory. */
  dataFile: string | null;
  ip?: string;
  port: number;
  /** Null starts no UI. */
  uiPort: number | null;
  namespace?: string;
  logFile: string;
  signal?: AbortSignal | undefined;
}

export interface Temporal extends Running {
  readonly address: string;
  readonly ui: string | null;
}

// The values are JSON.
const dynamicConfig = Object.entries(temporalSettings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);

export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { cli, ip = '127.0.0.1', port, uiPort, namespace = 'default', logFile, signal } = options;
  if (options.dataFile !== null) mkdirSync(dirname(resolve(options.dataFile)), { recursive: true, mode: 0o700 });
  const { command, args } = tied(cli, ['server', 'start-dev', ...flags({ ...options, ip, namespace })], 'SIGTERM');
  const child = await spawnChild({ command, args, env: ownEnv(), logFile, signal });
  const address = `${ip}:${port}`;
  await waitUntil({ name: 'Temporal', child }, () => prepareNamespace({ address, namespace, tls: false }));
  return {
    pid: child.pid,
    exited: child.exited,
    address,
    ui: uiPort === null ? null : `http://${ip}:${uiPort}`,
    stop: child.stop,
  };
}

// Syncing the file at every write took half of the server's CPU time. With these settings, data survives the death of any
// process. A power failure may lose the last moments; the README says how to continue.
const pragmas = ['journal_mode=wal', 'synchronous=normal'].flatMap((pragma) => ['--sqlite-pragma', pragma]);

function flags({
  dataFile,
  ip,
  port,
  uiPort,
  namespace,
}: TemporalOptions & { ip: string; namespace: string }): string[] {
  return [
    ...pragmas,
    ...['--ip', ip, '--port', `${port}`, '--log-level', 'warn', '--namespace', namespace],
    ...(uiPort === null ? ['--headless'] : ['--ui-port', `${uiPort}`]),
    ...(dataFile === null ? [] : ['--db-filename', resolve(dataFile)]),
    ...dynamicConfig.flatMap((value) => ['--dynamic-config-value', value]),
    ...Object.values(searchAttributes).flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

// The CLI would read TEMPORAL_ADDRESS and similar variables, which are meant for clients.
function ownEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('TEMPORAL_')));
}
