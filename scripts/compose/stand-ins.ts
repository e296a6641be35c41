/**
 * Builds stand-ins for the images of the compose file where no registry of images can be reached: images with the same
 * names and the same use, from Debian's packages and from Go modules.
 */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { imageOf } from '../image/build.ts';
import { buildah, run } from '../image/run.ts';
import { caddyProgram } from '../local/caddy.ts';
import { buildGoProgram, type GoProgram } from '../local/go-program.ts';
import { cachedProgram } from '../local/programs.ts';
import { s3Program } from '../local/s3-server.ts';
import { temporalCli } from '../local/temporal-cli.ts';
import { temporalServerPrograms } from '../temporal-server/programs.ts';
import { goModule } from '../local/go-module.ts';

const sources = fileURLToPath(new URL('stand-ins', import.meta.url));
const temporalModule = 'go.temporal.io/server@v1.29.1';

type Progress = (what: string) => void;

interface StandIn {
  /** The name in the compose file. */
  image: string;
  /** The Dockerfile in `stand-ins`, without its ending. */
  dockerfile: string;
  /** Files and folders for its build: path by the name in the build. */
  files: Readonly<Record<string, string>>;
}

/** Returns the archives of all images of the compose file, ours included. @param folder an empty folder @param to the folder of the archives */
export async function buildStandIns(folder: string, to: string, progress: Progress): Promise<string[]> {
  const base = join(folder, 'base');
  await mkdir(base);
  const packages = ['ca-certificates', 'postgresql', 'busybox', 'gosu', 'libcap2-bin', 'netcat-openbsd'];
  const options = ['--variant=minbase', `--include=${packages.join()}`];
  await run('mmdebstrap', [...options, 'bookworm', join(base, 'debian.tar')]);
  await build(base, { image: 'localhost/stand-in-base', dockerfile: 'base', files: {} });
  const archives: string[] = [];
  for (const standIn of await standIns(folder, progress)) {
    const own = join(folder, standIn.dockerfile);
    await mkdir(own);
    await build(own, standIn);
    archives.push(await archive(standIn.image, join(to, `${standIn.dockerfile}.tar`)));
    progress(`built ${standIn.image}`);
  }
  await buildah('tag', imageOf('full'), 'atelier');
  return [...archives, await archive('atelier', join(to, 'atelier.tar'))];
}

async function standIns(folder: string, progress: Progress): Promise<StandIn[]> {
  const { server, sqlTool } = await temporalServerPrograms({ progress });
  const dockerize = join(folder, 'dockerize');
  await run('go', ['build', '-o', dockerize, join(sources, 'dockerize.go')]);
  const temporal = goModule(temporalModule);
  const ui = 'github.com/temporalio/ui-server/v2@v2.42.1';
  const uiProgram = await goProgram('ui-server', ui, '/cmd/server', progress);
  const caddy = await caddyProgram(progress);
  return [
    { image: 'postgres:18', dockerfile: 'postgres', files: {} },
    { image: 'caddy:2', dockerfile: 'caddy', files: { caddy } },
    {
      image: 'versity/versitygw:v1.8.0',
      dockerfile: 'versitygw',
      files: { versitygw: await s3Program({ progress }) },
    },
    {
      image: 'temporalio/server:1.29.1',
      dockerfile: 'temporal-server',
      files: { server, dockerize, 'config_template.yaml': join(await temporal, 'docker/config_template.yaml') },
    },
    {
      image: 'temporalio/admin-tools:1.29.1-tctl-1.18.4-cli-1.5.0',
      dockerfile: 'temporal-admin-tools',
      files: { sql: sqlTool, temporal: await temporalCli({ progress }), schema: join(await temporal, 'schema') },
    },
    {
      image: 'temporalio/ui:2.42.1',
      dockerfile: 'temporal-ui',
      files: { server: uiProgram, 'docker.yaml': join(await goModule(ui), 'config/docker.yaml') },
    },
  ];
}

/** @param from the path of the program's package in its module */
function goProgram(name: string, module: string, from: string, progress: Progress): Promise<string> {
  const [path, version = ''] = module.split('@');
  const program: GoProgram = {
    label: name,
    source: `${path}${from}@${version}`,
    file: cachedProgram(name, version, process.env, from.split('/').at(-1)),
    progress,
  };
  return buildGoProgram(program);
}

async function build(folder: string, { image, dockerfile, files }: StandIn): Promise<void> {
  await cp(sources, folder, { recursive: true });
  for (const [name, path] of Object.entries(files)) await cp(path, join(folder, name), { recursive: true });
  const how = ['--isolation', 'chroot', '--format', 'docker', '--network', 'host', '--pull-never'];
  await buildah('bud', ...how, '--tag', image, '--file', join(folder, `${dockerfile}.Dockerfile`), folder);
}

async function archive(image: string, file: string): Promise<string> {
  const local = image.includes('/') ? image : `localhost/${image}`;
  await buildah('push', '--quiet', local, `docker-archive:${file}:${image}`);
  return file;
}
