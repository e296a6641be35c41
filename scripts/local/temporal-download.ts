/** Lets the Temporal SDK download its CLI into the user's cache: the last resort, because it needs the internet. */
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
  // In a separate process, because the SDK's native code stays in memory and a process can have only one Runtime.
  const script = new URL('temporal-download-child.ts', import.meta.url).pathname;
  const run = promisify(execFile)(process.execPath, [script, version, cache], { signal, timeout: 300_000 });
  const { stdout } = await run.catch((error: unknown) => {
    const lines = error instanceof Error && 'stderr' in error ? String(error.stderr).split('\n') : [];
    throw new Error(lines.find((line) => line.includes('Error'))?.trim() ?? 'it failed', { cause: error });
  });
  const program = join(cache, 'temporal');
  renameSync(stdout.trim(), program);
  return program;
}
