/** Runs the compose file as its users do: artworks, killed containers, separated networks, roles of the database, a restart. */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { create, ended } from '../../test/support/client.ts';
import type { Receiver } from '../../test/support/receiver.ts';
import { verifyWebhook } from '../../clients/verify-webhook.ts';
import { run } from '../image/run.ts';
import { claimPort } from '../local/ports.ts';
import type { Compose, Docker } from './docker.ts';
import { createAccount, expectEqual, operate, reaches, type Account } from './steps.ts';

export interface OneMachine {
  docker: Docker;
  /** An empty folder. */
  folder: string;
  /** Listens on an address that containers reach as `host.docker.internal`. */
  receiver: Receiver;
  say: (text: string) => void;
}

interface Drill extends OneMachine {
  compose: Compose;
  /** Runs a script in the project's folder. */
  script(text: string, env: NodeJS.ProcessEnv): Promise<string>;
  baseUrl: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function drillOneMachine(options: OneMachine): Promise<void> {
  const [port, uiPort] = await Promise.all([claimPort(0), claimPort(0)]);
  const secret = () => randomBytes(16).toString('hex');
  const baseUrl = `http://127.0.0.1:${port.port}`;
  const project = await copyProject(options.folder);
  const env = {
    COMPOSE_FILE: join(project, 'docker-compose.yml'),
    COMPOSE_PROJECT_NAME: 'atelier-drill',
    PORT: String(port.port),
    TEMPORAL_UI_PORT: String(uiPort.port),
    ATELIER_PUBLIC_URL: baseUrl,
    ATELIER_ALLOWED_HOSTS: 'host.docker.internal',
    ATELIER_SECRET: secret(),
    ATELIER_DATABASE_PASSWORD: secret(),
    ATELIER_OWNER_PASSWORD: secret(),
    POSTGRES_PASSWORD: secret(),
    TEMPORAL_POSTGRES_PASSWORD: secret(),
    AWS_SECRET_ACCESS_KEY: secret(),
  };
  // The backup contains both.
  await mkdir(join(project, 'settings'));
  await writeFile(
    join(project, '.env'),
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const compose = options.docker.project(env);
  const script = (text: string, own: NodeJS.ProcessEnv) => options.docker.script(text, { ...env, ...own }, project);
  try {
    await drill({ ...options, compose, script, baseUrl });
  } catch (error) {
    console.error(await compose('logs', '--no-color', '--tail', '15').catch(String));
    throw error;
  } finally {
    await compose('down', '--volumes', '--timeout', '5').catch(console.error);
    for (const claimed of [port, uiPort]) claimed.release();
  }
}

/** Copies the project to the folder, without files that only this machine has, such as `.env`. */
async function copyProject(folder: string): Promise<string> {
  for (const file of (await run('git', ['ls-files'], root)).trim().split('\n')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  return folder;
}

/** The number of artworks that exist while containers are killed. */
const load = 12;

async function drill({ docker, folder, compose, script, baseUrl, receiver, say }: Drill): Promise<void> {
  await compose('up', '--detach', '--wait');
  say('all services are healthy');
  const account = await createAccount(compose, baseUrl);
  const [first] = await takeArtworks(account, receiver, 1);
  say('an artwork from request to webhook and image');
  await expectSeparation(compose, docker, receiver);
  say('the parts that store are in internal networks');
  await expectRoles(compose);
  say('the service can read and write rows, and cannot change tables');
  await compose('run', '--rm', 'tools', 'temporal', 'workflow', 'describe', '--workflow-id', first ?? '');
  const taken = takeArtworks(account, receiver, load);
  await sleep(1500);
  for (const name of ['api', 'worker', 'providers', 'embedded', 'temporal', 's3']) await killOne(compose, docker, name);
  await taken;
  say(`${load} artworks survived the kill of six containers`);
  await compose('down');
  await compose('up', '--detach', '--wait');
  const kept = await ended(account, first ?? '');
  expectEqual('after down and up, the artwork is', kept.status, 'SUCCEEDED');
  say('artworks survive "down" and "up"');
  const restore = await backUp(script, join(folder, 'backups'));
  await compose('down', '--volumes');
  await restore();
  say('backed up, lost and restored');
  await ended(account, first ?? '');
  await takeArtworks(account, receiver, 1);
  const stuck = await operate(compose, 'artworks', 'stuck');
  expectEqual('stuck artworks', JSON.stringify(stuck), '[]');
  say('after the restore, artworks of before can be read, and new ones are made');
}

/** Backs up with the commands of the documentation. Returns a function that restores with them. */
async function backUp(script: Drill['script'], backups: string): Promise<() => Promise<string>> {
  const page = await readFile(join(root, 'docs/deploy/backup-and-restore.md'), 'utf8');
  const [, section = ''] = page.split('## With Docker Compose\n');
  const [save = '', restore = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  await mkdir(backups);
  await script(save, { BACKUPS: backups });
  return () => script(restore, { BACKUPS: backups });
}

/** Creates artworks and waits for their events, whose signatures it checks, and their images. @returns their ids */
async function takeArtworks(account: Account, receiver: Receiver, count: number): Promise<string[]> {
  const webhookUrl = receiver.url.replace(/\d+\.\d+\.\d+\.\d+/, 'host.docker.internal');
  const body = { prompt: 'a lighthouse in the evening', width: 512, height: 384, webhookUrl };
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const { id } = await createWhenAvailable(account, body);
      const [delivered] = await receiver.until(id, 1, 120_000);
      if (delivered) await verifyWebhook(delivered.raw, delivered.headers, account.webhookSecret);
      const artwork = await ended(account, id, 120_000);
      expectEqual(`${id} is`, artwork.status, 'SUCCEEDED');
      const [image] = artwork.images;
      const bytes = await fetch(image?.url ?? '').then((link) => link.arrayBuffer());
      expectEqual(`bytes of the image of ${id}`, bytes.byteLength, image?.bytes);
      return id;
    }),
  );
}

async function createWhenAvailable(account: Account, body: Record<string, unknown>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create(account, body);
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(1000);
    }
  }
}

/** Expects which services reach each other, which reach a receiver on this machine, and which networks are internal. */
async function expectSeparation(compose: Compose, { docker }: Docker, receiver: Receiver): Promise<void> {
  const { hostname, port } = new URL(receiver.url);
  const machine = [hostname, Number(port)] as const;
  const expected: [service: string, host: string, port: number, result: string][] = [
    ['worker', ...machine, 'reached'],
    ['providers', ...machine, 'reached'],
    ['api', 'postgres', 5432, 'reached'],
    ['api', 'temporal-postgres', 5432, 'not reached'],
    ['providers', 'temporal-postgres', 5432, 'not reached'],
    ['worker', 'balancer', 3000, 'not reached'],
  ];
  for (const [service, host, port, result] of expected) {
    const output = await compose('exec', '-T', service, 'node', '-e', reaches(host, port));
    expectEqual(`${host} from ${service}`, output.trim(), result);
  }
  const project = (await compose('ps', '--format', '{{.Project}}', 'api')).trim().split('\n')[0];
  for (const name of ['edge', 'storage', 'temporal']) {
    const internal = await docker('network', 'inspect', `${project}_${name}`, '--format', '{{.Internal}}');
    expectEqual(`${name} is internal:`, internal.trim(), 'true');
  }
}

const changesTable = `
  const client = new (require('pg').Client)(process.env.DATABASE_URL);
  const attempt = (sql) => client.query(sql).then(() => 'done', ({ code }) => code);
  client.connect().then(async () => {
    console.log(await attempt('select count(*) from artwork'), await attempt('create table t ()'),
      await attempt('drop table artwork'), await attempt('create role r'));
    await client.end();
  });`;

async function expectRoles(compose: Compose): Promise<void> {
  const output = await compose('exec', '-T', 'api', 'node', '-e', changesTable);
  // 42501 is "insufficient privilege".
  expectEqual('statements of the service', output.trim(), 'done 42501 42501 42501');
}

/** Kills the main process of one container of a service from outside, so that Docker restarts it. */
async function killOne(compose: Compose, { docker }: Docker, service: string): Promise<void> {
  const [container = ''] = (await compose('ps', '--quiet', service)).trim().split('\n');
  const pid = Number(await docker('inspect', container, '--format', '{{.State.Pid}}'));
  process.kill(pid, 'SIGKILL');
}
