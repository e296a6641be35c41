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

export interface Docker {
  /** Runs `docker`. @returns standard output */
  docker(...args: string[]): Promise<string>;
  /** Runs `docker compose` with the project's file. @returns standard output */
  compose(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

interface Commands {
  env: NodeJS.ProcessEnv;
  /** The program of Compose and its first arguments. */
  composeProgram: readonly string[];
}

function commands({ env, composeProgram }: Commands): Pick<Docker, 'docker' | 'compose'> {
  const start = async (program: string, args: readonly string[]) => {
    try {
      const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 64 * 1024 * 1024 });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(' ')} failed:\n${`${stdout}\n${stderr}`.trim().slice(-3000)}`);
    }
  };
  const [program = '', ...first] = composeProgram;
  return {
    docker: (...args) => start('docker', args),
    compose: (...args) => start(program, [...first, ...args]),
  };
}

/** Uses the Docker of this machine, which pulls the images. @param env the variables of the compose file */
export function installedDocker(env: NodeJS.ProcessEnv): Docker {
  const composeProgram = ['docker', 'compose', '--progress', 'quiet'];
  return { ...commands({ env: { ...process.env, ...env }, composeProgram }), stop: () => Promise.resolve() };
}

/**
 * Starts a Docker daemon with images from archives. Needs root and Debian's package docker.io.
 * @param folder an empty folder for all its data
 */
export async function startDocker(
  folder: string,
  archives: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Docker> {
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
  const both = commands({
    env: { ...process.env, ...env, DOCKER_HOST: host },
    composeProgram: [composeProgram, '--progress', 'quiet'],
  });
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
