/** Machines that run docker-compose.service.yml: Compose projects of one Docker that share no folder, volume or network. */
import { chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { claimPort, type ClaimedPort } from '../local/ports.ts';
import type { Compose, Docker } from './docker.ts';
import type { Elsewhere } from './elsewhere.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The only files of the project that a machine needs. */
const needed = ['docker-compose.service.yml', 'deploy/caddy/Caddyfile'];
/** The services whose containers connect to the backends. */
const connecting = ['api', 'worker', 'providers', 'embedded', 'migrate', 'tools'];
/** The user of the image. */
const user = 1000;

export interface Machine {
  name: string;
  baseUrl: string;
  compose: Compose;
  /** Writes variables to `.env`. */
  set(changes: Readonly<Record<string, string>>): Promise<void>;
}

interface Plan {
  docker: Docker;
  /** An empty folder. */
  folder: string;
  /** The address of this machine on Docker's bridge. */
  address: string;
  elsewhere: Elsewhere;
  /** Variables of every machine. */
  env: Readonly<Record<string, string>>;
}

/**
 * Prepares a machine as docs/deploy/two-machines.md describes it: two files of the project, `.env` and `settings`.
 * @param prefix the third number of the addresses of its first network; the next one belongs to its second network
 */
export async function prepareMachine(
  site: Plan,
  { name, prefix }: { name: string; prefix: number },
): Promise<Machine & { port: ClaimedPort }> {
  const { docker, address, elsewhere } = site;
  const folder = join(site.folder, name);
  for (const file of needed) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await mkdir(join(folder, 'settings'));
  for (const [file, content] of Object.entries(elsewhere.files)) {
    const path = join(folder, 'settings', file);
    await writeFile(path, content, { mode: 0o400 });
    await chown(path, user, user);
  }
  // The names of the backends, which only this drill knows.
  const hosts = { extra_hosts: elsewhere.names.map((host) => `${host}:${address}`) };
  const services = Object.fromEntries(connecting.map((service) => [service, hosts]));
  await writeFile(join(folder, 'names.yml'), stringify({ services }));
  const port = await claimPort(0, address);
  const env: Record<string, string> = {
    COMPOSE_FILE: 'docker-compose.service.yml:names.yml',
    COMPOSE_PROJECT_NAME: name,
    PORT: `${address}:${port.port}`,
    // Both machines are this one, and two networks of one machine cannot have the same addresses.
    EDGE_PREFIX: `10.213.${prefix}`,
    PUBLIC_PREFIX: `10.213.${prefix + 1}`,
    ...elsewhere.env,
    ...site.env,
  };
  const set = async (changes: Readonly<Record<string, string>>) => {
    Object.assign(env, changes);
    const lines = Object.entries(env).map(([key, value]) => `${key}='${value}'\n`);
    await writeFile(join(folder, '.env'), lines.join(''), { mode: 0o600 });
  };
  await set({});
  return { name, baseUrl: `http://${address}:${port.port}`, compose: docker.project({}, folder), set, port };
}

const loadBalancer = 'atelier-load-balancer';

/** Starts deploy/caddy/load-balancer.Caddyfile. @returns a function that stops it */
export async function startLoadBalancer(
  { docker }: Docker,
  url: string,
  machines: readonly Machine[],
): Promise<() => Promise<unknown>> {
  const addresses = machines.map(({ baseUrl }) => new URL(baseUrl).host).join(' ');
  const file = join(root, 'deploy/caddy/load-balancer.Caddyfile');
  await docker(
    ...['run', '--detach', '--name', loadBalancer, '--network', 'host'],
    ...['--env', `ADDRESS=${url}`, '--env', `MACHINES=${addresses}`],
    ...['--volume', `${file}:/etc/caddy/Caddyfile:ro`, 'caddy:2'],
  );
  return () => docker('rm', '--force', loadBalancer);
}

/** Kills all containers of a machine at once. */
export async function killMachine({ compose }: Machine): Promise<void> {
  await compose('kill');
}

/** Cuts all containers of a machine off, so that no peer learns about their end, then kills them. */
export async function cutMachine(docker: Docker, { compose }: Machine): Promise<void> {
  const containers = (await compose('ps', '--quiet')).trim().split('\n');
  const format = '{{range $name, $_ := .NetworkSettings.Networks}}{{$name}} {{end}}';
  const cut = async (container: string) => {
    const networks = (await docker.docker('inspect', container, '--format', format)).trim().split(' ');
    for (const network of networks) await docker.docker('network', 'disconnect', '--force', network, container);
  };
  await Promise.all(containers.map(cut));
  await compose('kill');
}
