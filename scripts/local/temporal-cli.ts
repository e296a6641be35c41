/** Finds the Temporal CLI, which contains the local server: named, installed, cached, built with Go, or downloaded. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';

// Go cannot install later versions, because they have a replace directive.
const temporalVersion = '1.5.1';

export interface TemporalCliOptions {
  env?: NodeJS.ProcessEnv;
  progress?: (what: string) => void;
  signal?: AbortSignal | undefined;
}

export async function temporalCli({
  env = process.env,
  progress = () => undefined,
  signal,
}: TemporalCliOptions = {}): Promise<string> {
  const given = env['TEMPORAL_CLI_PATH'];
  if (given) {
    if (isProgram(given)) return given;
    throw new Error(`TEMPORAL_CLI_PATH is ${given}, which is not a program`);
  }
  const installed = onPath('temporal', env);
  if (installed !== undefined) return installed;
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atelier', `temporal-${temporalVersion}`);
  const file = join(cache, 'temporal');
  if (isProgram(file)) return file;
  const failures: string[] = [];
  for (const way of [
    {
      name: 'Building it with Go',
      run: () => buildTemporal({ go: findGo(env), version: temporalVersion, cache, progress, signal }),
    },
    { name: 'Downloading it', run: () => downloadTemporal({ version: temporalVersion, cache, progress, signal }) },
  ]) {
    try {
      return await way.run();
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${way.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(help(cache, failures));
}

/** Also looks in Go's usual folders, because services and CI jobs lack the PATH of the user's shell. */
function findGo(env: NodeJS.ProcessEnv): string | undefined {
  const usual = [
    env['GOROOT'] && join(env['GOROOT'], 'bin'),
    '/usr/local/go/bin',
    '/usr/lib/go/bin',
    '/opt/homebrew/bin',
  ];
  return onPath('go', env) ?? usual.flatMap((folder) => (folder ? [join(folder, 'go')] : [])).find(isProgram);
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function help(cache: string, failures: string[]): string {
  return `There is no Temporal server to start. Provide one of:
  - TEMPORAL_ADDRESS=host:port    the address of a running Temporal
  - TEMPORAL_CLI_PATH=/…/temporal  the path of a Temporal CLI
  - the program temporal on PATH   (packaged as temporal or temporal-cli)
  - Go on PATH                     builds ${temporalVersion} into ${cache} once, in a few minutes
  - a connection to the internet   lets the SDK download it
Failed attempts:
${failures.map((failure) => `  - ${failure.replaceAll('\n', '\n    ')}`).join('\n')}`;
}
