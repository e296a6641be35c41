/** Inspects an image: its user, its files, its labels, and what it must not contain. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { planted, type Target, imageOf } from './build.ts';
import { podman, run } from './run.ts';

/** Programs that an attacker or a mistake could use, and the service does not. */
const absent = ['npm', 'npx', 'yarn', 'corepack', 'cc', 'gcc', 'g++', 'make', 'python3', 'git', 'curl', 'wget'];

const binFolders = ['bin', 'usr/bin', 'usr/local/bin', 'usr/sbin'];

/** The folders and files of the image in `/app`. */
const expected = (
  'LICENSE NOTICE activities api clients engines images node_modules operator package-lock.json package.json runtime ' +
  'sbom.cdx.json schemas scripts services store workers workflows'
).split(' ');

interface Inspected {
  Size: number;
  Healthcheck?: { Test: string[] };
  Config: { User: string; Labels: Record<string, string> };
}

/** Returns the image's size in bytes. @throws Error that names everything that is wrong */
export async function inspect(target: Target): Promise<number> {
  const image = imageOf(target);
  const [found] = JSON.parse(await podman('image', 'inspect', image)) as Inspected[];
  if (!found) throw new Error(`${image} does not exist`);
  const { User: user, Labels: labels } = found.Config;
  const wrong = [
    user !== '1000:1000' && `runs as ${user}`,
    !labels['org.opencontainers.image.revision'] && 'has no revision among its labels',
    !found.Healthcheck?.Test.includes('scripts/image/health-check.mjs') && 'has no health check',
    ...(await mounted(image, wrongFiles)),
  ].filter((one) => one !== false && one !== '');
  if (wrong.length > 0) throw new Error(`${image} ${wrong.join('; ')}`);
  return found.Size;
}

async function mounted<T>(image: string, look: (root: string) => Promise<T>): Promise<T> {
  const root = (await podman('image', 'mount', image)).trim();
  try {
    return await look(root);
  } finally {
    await podman('image', 'unmount', image);
  }
}

/** @param root the folder in which the image is mounted */
async function wrongFiles(root: string): Promise<(string | false)[]> {
  return [
    ...absent.flatMap((name) =>
      binFolders.map((bin) => existsSync(join(root, bin, name)) && `contains ${bin}/${name}`),
    ),
    ...(await readdir(join(root, 'app'))).map((name) => !expected.includes(name) && `contains app/${name}`),
    await run('find', [root, '-type', 'f', '-perm', '/6000']).then(
      (text) => text && `contains setuid programs: ${text}`,
    ),
    // grep exits with 1 when it finds nothing.
    await run('sh', ['-c', 'grep -rl "$1" "$2" || true', 'sh', planted, root]).then(
      (text) => text && `contains ${text}`,
    ),
    !existsSync(join(root, 'app/node_modules/.cache/atelier')) && 'has no workflow bundle',
    !existsSync(join(root, 'app/sbom.cdx.json')) && 'has no SBOM',
  ];
}
