/** Builds both images from a copy of the project. Adds files to the copy that must not get into an image. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../runtime/version.ts';
import { buildah, run } from './run.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const targets = ['lean', 'full'] as const;
export type Target = (typeof targets)[number];

export const imageOf = (target: Target) => `localhost/atelier:${target}`;

/** Files as they lie around on a developer's machine. Their content is this text. */
export const planted = 'must-not-get-into-an-image';
const forbidden = [
  '.env',
  'dump.sql',
  'atelier.dump',
  'api/dump.sql',
  'operator/keys.json',
  'store/keys.pem',
  '.atelier/secret',
  'workers/core.1',
];

/** @param folder an empty folder */
export async function buildImages(folder: string, base: string, which: readonly Target[] = targets): Promise<void> {
  const files = (await run('git', ['ls-files'], root)).trim().split('\n');
  for (const file of files) await cp(join(root, file), join(folder, file));
  for (const file of forbidden) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), planted);
  }
  const revision = (await run('git', ['rev-parse', 'HEAD'], root)).trim();
  const values = { NODE_IMAGE: base, VERSION: version, REVISION: revision };
  const buildArgs = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  for (const target of which) {
    const how = ['--isolation', 'chroot', '--format', 'docker', '--network', 'host', '--pull-never'];
    await buildah('bud', ...how, ...buildArgs, '--target', target, '--tag', imageOf(target), folder);
  }
}
