/**
 * `node scripts/compose.ts [--stand-ins]`: runs docker-compose.yml and takes artworks through it while it kills
 * containers. It uses the Docker of this machine. With `--stand-ins`, it needs no registry of images: it starts a Docker
 * daemon of its own with images made from Debian's packages and Go modules. That needs root, Go, and Debian's packages
 * docker.io, buildah and mmdebstrap.
 */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReceiver } from '../test/support/receiver.ts';
import { installedDocker, startDocker } from './compose/docker.ts';
import { drill } from './compose/drill.ts';
import { buildStandIns } from './compose/stand-ins.ts';
import { makeBase } from './image/base.ts';
import { buildImages } from './image/build.ts';
import { run } from './image/run.ts';
import { claimPort } from './local/ports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'atelier-compose-'));
const began = performance.now();
const say = (text: string) => console.log(`${Math.round((performance.now() - began) / 1000)} s  ${text}`);

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

/** Returns a copy of the project without files that only this machine has, such as `.env`. */
async function copyProject(): Promise<string> {
  const copy = await emptyFolder('project');
  for (const file of (await run('git', ['ls-files'], root)).trim().split('\n')) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  return copy;
}

async function archives(): Promise<string[]> {
  await buildImages(await emptyFolder('image'), await makeBase(await emptyFolder('base')), ['full']);
  say('the image of the service is built');
  const built = await buildStandIns(await emptyFolder('stand-ins'), say);
  say('the stand-ins are built');
  return built;
}

const [port, uiPort] = await Promise.all([claimPort(0), claimPort(0)]);
const secret = () => randomBytes(16).toString('hex');
const project = await copyProject();
const env = {
  COMPOSE_FILE: join(project, 'docker-compose.yml'),
  COMPOSE_PROJECT_NAME: 'atelier-drill',
  PORT: String(port.port),
  TEMPORAL_UI_PORT: String(uiPort.port),
  ATELIER_PUBLIC_URL: `http://127.0.0.1:${port.port}`,
  ATELIER_ALLOWED_HOSTS: 'host.docker.internal',
  ATELIER_SECRET: secret(),
  ATELIER_DATABASE_PASSWORD: secret(),
  ATELIER_OWNER_PASSWORD: secret(),
  POSTGRES_PASSWORD: secret(),
  TEMPORAL_POSTGRES_PASSWORD: secret(),
  AWS_SECRET_ACCESS_KEY: secret(),
};
const docker = process.argv.includes('--stand-ins')
  ? await startDocker(await emptyFolder('docker'), await archives(), env)
  : installedDocker(env);
try {
  const gateway = '{{(index .IPAM.Config 0).Gateway}}';
  const host = (await docker.docker('network', 'inspect', 'bridge', '--format', gateway)).trim();
  const receiver = await startReceiver(undefined, host);
  try {
    await drill({ docker, baseUrl: env.ATELIER_PUBLIC_URL, receiver, say });
  } catch (error) {
    console.error(await docker.compose('logs', '--no-color', '--tail', '15').catch(String));
    throw error;
  } finally {
    await receiver.close();
    await docker.compose('down', '--volumes', '--timeout', '5').catch(console.error);
  }
} finally {
  await docker.stop();
  for (const claimed of [port, uiPort]) claimed.release();
  await rm(folder, { recursive: true, force: true });
}
