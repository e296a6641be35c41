/** Runs programs for the container images, and shows what they print when they fail. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Returns standard output. @throws Error with the end of the output of a program that fails */
export async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().slice(-2000);
    throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
  }
}

/** Runs buildah. Its usual storage driver needs more rights than a virtual machine may have. */
export const buildah = (...args: string[]) => run('buildah', ['--storage-driver', 'vfs', ...args]);

/** Runs podman. `crun`, its usual runtime, does not start here. */
export const podman = (...args: string[]) => run('podman', ['--storage-driver', 'vfs', '--runtime', 'runc', ...args]);

/** Returns the last lines that a container has written, to standard output and to standard error. */
export const logOf = (name: string) =>
  run('sh', ['-c', 'podman --storage-driver vfs logs --tail 20 "$1" 2>&1', 'sh', name]);
