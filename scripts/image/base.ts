/** Makes a base image like `node:24.21.0-slim` from Debian's packages and npm's, where no registry of images can be reached. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { npmVersion } from '../npm-version.ts';
import { buildah, run } from './run.ts';

/** The certificates of this machine, which may need that of a proxy to reach the package registry. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';

const dockerfile = `FROM scratch
ADD debian.tar /
COPY packages/node_modules/node/bin/node /usr/local/bin/node
COPY packages/node_modules/npm /usr/local/lib/node_modules/npm
COPY certificates.crt ${certificates}
ENV NODE_EXTRA_CA_CERTS=${certificates}
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
`;

/** Returns the image's name. @param folder an empty folder */
export async function makeBase(folder: string): Promise<string> {
  const name = `localhost/node:${manifest.devDependencies.node}-slim`;
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', join(folder, 'debian.tar')]);
  const packages = join(folder, 'packages');
  await mkdir(packages);
  await writeFile(join(packages, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  const versions = [`node@${manifest.devDependencies.node}`, `npm@${npmVersion}`];
  await run('npm', ['install', '--loglevel=error', ...versions], packages);
  await cp(certificates, join(folder, 'certificates.crt'));
  await writeFile(join(folder, 'Dockerfile'), dockerfile);
  await buildah('bud', '--isolation', 'chroot', '--format', 'docker', '--tag', name, folder);
  return name;
}
