/** Runs a process of the service that should end by itself. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Milliseconds before a process that does not end is killed. */
const timeout = 30_000;

/** Returns everything that the process has printed, and its exit code (null if it was killed). */
export function runUntilItEnds(
  entry: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' }, timeout };
    const child = execFile(process.execPath, [entry, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}
