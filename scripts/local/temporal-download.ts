/** Lets the Temporal SDK download its CLI into the user's cache. Needs the internet: the last resort. */
import { execFile } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Download {
  version: string;
  cache: string;
  progress: (what: string) => void;
  signal?: AbortSignal | undefined;
}

export async function downloadTemporal({ version, cache, progress, signal }: Download): Promise<string> {
  progress('downloading the Temporal CLI');
  mkdirSync(cache, { recursive: true });
  // In a process of its own: the SDK's native part stays in memory and there may be only one Runtime in ours.
  const script = new URL('temporal-download-child.ts', import.meta.url).pathname;
  const run = promisify(execFile)(process.execPath, [script, version, cache], { signal, timeout: 300_000 });
  const { stdout } = await run.catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).split('\n') : [];
    throw new Error(said.find((line) => line.includes('Error'))?.trim() ?? 'it failed', { cause: error });
  });
  const program = join(cache, 'temporal');
  renameSync(stdout.trim(), program);
  return program;
}
