/** Runs the images as a deployment does: read-only, without capabilities, as a user without rights. */
import { mkdtemp, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, create, ended } from '../../test/support/client.ts';
import { claimPort } from '../local/ports.ts';
import { imageOf, type Target } from './build.ts';
import { logOf, podman } from './run.ts';

/** The options of every container. */
const hardened = [
  ...['--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all'],
  ...['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'],
];

interface Options {
  target: Target;
  /** A folder for the files of the service. */
  folder: string;
  /** A folder that the containers may read, under the same path. */
  settingsFolder: string;
  databaseUrl: string;
  temporalAddress: string;
  /** More settings for all containers. */
  settings?: Record<string, string>;
  /** The model that makes the image, as the artwork names it. */
  model: string;
}

/** Migrates, creates a key, starts an API and a worker, and takes an artwork from its request to its image. */
export async function tryImage(options: Options): Promise<void> {
  const { target, folder, settingsFolder, databaseUrl, temporalAddress, settings, model } = options;
  const image = imageOf(target);
  const data = await mkdtemp(join(folder, `${target}-`));
  await chmod(data, 0o777);
  const [api, apiHealth, workerHealth] = await Promise.all([claimPort(0), claimPort(0), claimPort(0)]);
  const common = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ATELIER_TASK_QUEUE: target,
    ATELIER_SECRET: 'a secret for trying images, 32 characters',
    ATELIER_ALLOWED_HOSTS: '127.0.0.1',
    ATELIER_PUBLIC_URL: `http://127.0.0.1:${api.port}`,
    ...settings,
  };
  const container = (own: Record<string, string>, ...args: string[]) => {
    const env = Object.entries({ ...common, ...own }).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return podman(
      'run',
      ...hardened,
      '--volume',
      `${data}:/data`,
      '--volume',
      `${settingsFolder}:${settingsFolder}:ro`,
      ...env,
      ...args,
    );
  };
  const operate = async (...args: string[]) =>
    JSON.parse(await container({}, '--rm', image, 'node', 'operator/main.ts', ...args, '--json')) as Record<
      string,
      string
    >;

  await container({}, '--rm', image, 'node', 'scripts/migrate.ts');
  const { orgId = '' } = await operate('organizations', 'create', 'Acme');
  const { apiKey = '' } = await operate('keys', 'create', orgId, '--scope', 'admin');
  const names = { api: `atelier-api-${target}`, worker: `atelier-worker-${target}` };
  try {
    await container(
      { PORT: String(api.port), ATELIER_METRICS_PORT: String(apiHealth.port) },
      ...['--detach', '--name', names.api, image],
    );
    await container(
      { ATELIER_METRICS_PORT: String(workerHealth.port) },
      ...['--detach', '--name', names.worker, image, 'node', 'workers/main.ts'],
    );
    for (const name of Object.values(names)) await untilHealthy(name);
    const service = { baseUrl: `http://127.0.0.1:${api.port}`, adminKey: apiKey };
    const { id } = await create(service, { prompt: 'a lighthouse in the evening', width: 512, height: 384 });
    const artwork = await ended(service, id, 60_000);
    const [made] = artwork.images;
    if (made?.model !== model) {
      throw new Error(`${target} made ${JSON.stringify(artwork)}\n${await logOf(names.worker)}`);
    }
    const link = await fetch(made.url);
    if ((await link.arrayBuffer()).byteLength !== made.bytes) throw new Error(`The link responds with ${link.status}`);
    await call(`${service.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: apiKey });
    for (const name of Object.values(names)) {
      await podman('stop', '--time', '60', name);
      const code = (await podman('inspect', name, '--format', '{{.State.ExitCode}}')).trim();
      if (code !== '0') throw new Error(`${name} exits with ${code} when it is stopped`);
    }
  } finally {
    for (const name of Object.values(names)) await podman('rm', '--force', '--ignore', '--time', '0', name);
    for (const port of [api, apiHealth, workerHealth]) port.release();
  }
}

/** Runs the health check of the image, as Docker does. */
async function untilHealthy(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await podman('healthcheck', 'run', name);
      return;
    } catch (error) {
      if (attempt === 30) throw new Error(await logOf(name), { cause: error });
      await sleep(1000);
    }
  }
}
