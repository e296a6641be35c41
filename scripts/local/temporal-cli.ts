/** Finds the Temporal CLI, which contains the local server: named, installed, cached, built with Go, or downloaded. */
import { dirname } from 'node:path';
import { buildGoProgram } from './go-program.ts';
import { cachedProgram, findProgram, isProgram } from './programs.ts';
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
  const installed = findProgram('temporal', env);
  if (installed !== undefined) return installed;
  const file = cachedProgram('temporal', temporalVersion, env);
  if (isProgram(file)) return file;
  const cache = dirname(file);
  const source = `github.com/temporalio/cli/cmd/temporal@v${temporalVersion}`;
  const failures: string[] = [];
  for (const way of [
    {
      name: 'Building it with Go',
      run: () => buildGoProgram({ label: 'the Temporal CLI', source, file, env, progress, signal }),
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
