/** Finds Helm, or builds it with Go, once for all checks and tests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildGoProgram } from './go-program.ts';
import { cachedProgram, findProgram } from './programs.ts';

const helmVersion = '3.22.0';

/** Returns the path of Helm. The first call on a machine without it takes minutes. */
async function helmProgram(): Promise<string> {
  const installed = findProgram('helm', process.env);
  if (installed !== undefined) return installed;
  return buildGoProgram({
    label: 'Helm',
    source: `helm.sh/helm/v3/cmd/helm@v${helmVersion}`,
    file: cachedProgram('helm', helmVersion, process.env),
  });
}

/** Runs Helm and returns its standard output. @throws Error with its messages when it fails */
export async function helm(...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(await helmProgram(), args, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}\n${stderr}`.trim() || String(error), { cause: error });
  }
}
