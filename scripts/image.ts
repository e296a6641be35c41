/**
 * `node scripts/image.ts [base image]`: builds both container images with buildah, inspects them, and takes an artwork
 * through containers of each. Needs root, and Debian's packages buildah, podman, runc and mmdebstrap.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase } from '../test/support/migrated-database.ts';
import { startBackends } from '../test/support/backends.ts';
import { apiKey, at, enginesEnv, flux } from '../test/support/engines.ts';
import { startFal } from '../test/upstreams/fal.ts';
import { makeBase } from './image/base.ts';
import { buildImages, targets } from './image/build.ts';
import { inspect } from './image/inspect.ts';
import { tryImage } from './image/try.ts';

const folder = await mkdtemp(join(tmpdir(), 'atelier-image-'));
const began = performance.now();
const say = (text: string) => console.log(`${Math.round((performance.now() - began) / 1000)} s  ${text}`);
try {
  const [baseFolder, buildFolder] = [join(folder, 'base'), join(folder, 'build')];
  const settingsFolder = join(folder, 'settings');
  for (const one of [baseFolder, buildFolder, settingsFolder]) await mkdir(one);
  const base = process.argv[2] ?? (await makeBase(baseFolder));
  say(`base image: ${base}`);
  await buildImages(buildFolder, base);
  say('both images are built');
  for (const target of targets) say(`${target}: ${Math.round((await inspect(target)) / 1e6)} MB, inspected`);
  const [backends, fal] = await Promise.all([startBackends(), startFal({ apiKey })]);
  try {
    const deployment = async (target: (typeof targets)[number]) => ({
      target,
      folder,
      settingsFolder,
      databaseUrl: await createEmptyDatabase(backends.postgres.url, `image_${target}`),
      temporalAddress: backends.temporal.address,
    });
    await tryImage({ ...(await deployment('full')), model: 'local/sketch' });
    say('full: an artwork from request to image');
    const file = { engines: { fal: at('fal', fal) }, models: { selena: [flux] } };
    const settings = { ...(enginesEnv(settingsFolder, file) as Record<string, string>), ATELIER_UNJUDGED: 'allow' };
    await tryImage({ ...(await deployment('lean')), settings, model: 'fal/fal-ai/flux/dev' });
    say('lean: an artwork from request to image');
  } finally {
    await Promise.all([backends.stop(), fal.close()]);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
