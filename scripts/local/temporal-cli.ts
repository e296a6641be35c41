/** Finds the Temporal CLI, which holds the local server: given, installed, cached, built with Go, or downloaded. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';

// Later ones cannot be installed by Go: they carry a replace directive.
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
    throw new Error(`TEMPORAL_CLI_PATH is ${given}, where no program is`);
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

/** Its installers leave the PATH to the user's shell, which a service or a CI job does not have. */
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
  return `There is no Temporal server to start. Any one of these helps:
  - TEMPORAL_ADDRESS=host:port    use a Temporal that runs elsewhere
  - TEMPORAL_CLI_PATH=/…/temporal  a Temporal CLI of yours
  - the program temporal on PATH   (it is in many package managers as temporal or temporal-cli)
  - Go on PATH                     builds ${temporalVersion} into ${cache}, once, in some minutes
  - a connection to the internet   the SDK downloads it
What was tried:
${failures.map((failure) => `  - ${failure.replaceAll('\n', '\n    ')}`).join('\n')}`;
}
