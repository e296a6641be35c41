/**
 * `node scripts/compose.ts [two-machines] [--stand-ins] [--archives <folder>]`: runs docker-compose.yml, or
 * docker-compose.service.yml on two machines, and takes artworks through it while it kills containers or machines. It uses
 * the Docker of this machine. With `--stand-ins`, it needs no registry of images: it starts a Docker daemon of its own with
 * images made from Debian's packages and Go modules. That needs root, Go, and Debian's packages docker.io, buildah and
 * mmdebstrap. `--archives` keeps these images in a folder, and uses those that are there.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startReceiver } from '../test/support/receiver.ts';
import { archives } from './compose/archives.ts';
import { installedDocker, startDocker } from './compose/docker.ts';
import { drillOneMachine } from './compose/one-machine.ts';
import { drillTwoMachines } from './compose/two-machines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'stand-ins': { type: 'boolean' }, archives: { type: 'string' } },
});
const [form = 'one-machine'] = positionals;
const drills = { 'one-machine': drillOneMachine, 'two-machines': drillTwoMachines };
if (!(form in drills)) throw new Error(`Unknown form "${form}". Forms: ${Object.keys(drills).join(', ')}`);
const drill = drills[form as keyof typeof drills];

const folder = await mkdtemp(join(tmpdir(), 'atelier-compose-'));
const began = performance.now();
const say = (text: string) => console.log(`${Math.round((performance.now() - began) / 1000)} s  ${text}`);

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

try {
  const docker = values['stand-ins']
    ? await startDocker(
        await emptyFolder('docker'),
        await archives(values.archives ?? (await emptyFolder('archives')), emptyFolder, say),
      )
    : installedDocker();
  try {
    // The gateway has the first address of the subnet; not every Docker names it.
    const subnet = '{{(index .IPAM.Config 0).Subnet}}';
    const inspected = await docker.docker('network', 'inspect', 'bridge', '--format', subnet);
    const address = inspected.trim().replace(/\d+\/\d+$/, '1');
    const receiver = await startReceiver(undefined, address);
    try {
      await drill({ docker, folder: await emptyFolder('drill'), address, receiver, say });
    } finally {
      await receiver.close();
    }
  } finally {
    await docker.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
