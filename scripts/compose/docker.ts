/** Runs Docker Compose, with the Docker of this machine or with a daemon of its own. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../image/run.ts';
import { spawnChild } from '../local/child.ts';
import { cachedProgram } from '../local/programs.ts';
import { waitUntil } from '../local/wait-until.ts';
import { buildAsDependency } from '../local/go-module.ts';
import { startNameServer } from './name-server.ts';

const nameServerAddress = '127.0.0.99';

/** Runs `docker compose` with the file of a project. @returns standard output */
export type Compose = (...args: string[]) => Promise<string>;

export interface Docker {
  /** Runs `docker`. @returns standard output */
  docker(...args: string[]): Promise<string>;
  /** @param env variables besides those of this process @param cwd the folder in which Compose runs */
  project(env: NodeJS.ProcessEnv, cwd?: string): Compose;
  /** Runs a script of Bash that calls `docker compose`. It ends at the first failure. @returns standard output */
  script(text: string, env: NodeJS.ProcessEnv, cwd: string): Promise<string>;
  stop(): Promise<void>;
}

/** @param composeProgram the program of Compose and its first arguments */
function commands(
  env: NodeJS.ProcessEnv,
  composeProgram: readonly string[],
): Pick<Docker, 'docker' | 'project' | 'script'> {
  const start = async (program: string, args: readonly string[], own: NodeJS.ProcessEnv = {}, cwd?: string) => {
    try {
      const options = { env: { ...env, ...own }, cwd, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)(program, args, options);
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(' ')} failed:\n${`${stdout}\n${stderr}`.trim().slice(-3000)}`);
    }
  };
  const [program = '', ...first] = composeProgram;
  return {
    docker: (...args) => start('docker', args),
    project:
      (own, cwd) =>
      (...args) =>
        start(program, [...first, ...args], own, cwd),
    script: (text, own, cwd) => {
      // Where Compose is a program of its own, `docker` has no such command.
      const compose = `docker() { shift; ${[program, ...first].join(' ')} "$@"; }`;
      const lines = ['set -euo pipefail', ...(program === 'docker' ? [] : [compose]), text];
      return start('bash', ['-c', lines.join('\n')], own, cwd);
    },
  };
}

/** Uses the Docker of this machine, which pulls the images. */
export function installedDocker(): Docker {
  const composeProgram = ['docker', 'compose', '--progress', 'quiet'];
  return { ...commands(process.env, composeProgram), stop: () => Promise.resolve() };
}

/**
 * Starts a Docker daemon with images from archives. Needs root and Debian's package docker.io.
 * @param folder an empty folder for all its data
 */
export async function startDocker(folder: string, archives: readonly string[]): Promise<Docker> {
  const version = 'v2.40.3';
  const module = 'github.com/docker/compose/v2';
  const composeProgram = await buildAsDependency(
    module,
    version,
    `${module}/cmd`,
    cachedProgram('docker-compose', version, process.env),
  );
  const paths = { data: join(folder, 'data'), exec: join(folder, 'exec') };
  for (const path of Object.values(paths)) await mkdir(path, { recursive: true });
  const host = `unix://${join(folder, 'docker.sock')}`;
  // Debian's Docker forwards names that it does not know even from internal networks, and those that get no response
  // delay each connection of a Go program. It uses a name server on a loopback address only if /etc/resolv.conf names it.
  const resolver = join(folder, 'resolv.conf');
  await writeFile(resolver, `nameserver ${nameServerAddress}\n`);
  const names = await startNameServer(nameServerAddress);
  const child = await spawnChild({
    command: 'unshare',
    args: [
      ...['--mount', 'sh', '-c', `mount --bind '${resolver}' /etc/resolv.conf && exec "$0" "$@"`, 'dockerd'],
      ...['--data-root', paths.data, '--exec-root', paths.exec, '--host', host],
      ...['--pidfile', join(folder, 'docker.pid'), '--userland-proxy=true'],
    ],
    logFile: join(folder, 'dockerd.log'),
  });
  const both = commands({ ...process.env, DOCKER_HOST: host }, [composeProgram, '--progress', 'quiet']);
  await waitUntil({ name: 'Docker', child }, () => both.docker('version'));
  for (const file of archives) await both.docker('load', '--quiet', '--input', file);
  return {
    ...both,
    async stop() {
      await child.stop();
      names.close();
      // Mounts of containers that were killed would keep the folder busy.
      await run('sh', ['-c', 'grep -o " $1[^ ]*" /proc/mounts | xargs --no-run-if-empty umount --lazy', 'sh', folder]);
    },
  };
}
