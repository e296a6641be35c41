/** Runs the compose file as its users do: artworks, killed containers, separated networks, roles of the database, a restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { create, ended } from '../../test/support/client.ts';
import type { Receiver } from '../../test/support/receiver.ts';
import { verifyWebhook } from '../../clients/verify-webhook.ts';
import type { Docker } from './docker.ts';

export interface Drill {
  docker: Docker;
  baseUrl: string;
  /** Listens on an address that containers reach as `host.docker.internal`. */
  receiver: Receiver;
  say: (text: string) => void;
}

interface Account {
  baseUrl: string;
  adminKey: string;
  webhookSecret: string;
}

/** The number of artworks that exist while containers are killed. */
const load = 12;

export async function drill({ docker, baseUrl, receiver, say }: Drill): Promise<void> {
  await docker.compose('up', '--detach', '--wait');
  say('all services are healthy');
  const account = await createAccount(docker, baseUrl);
  const [first] = await takeArtworks(account, receiver, 1);
  say('an artwork from request to webhook and image');
  await expectSeparation(docker, receiver);
  say('the parts that store are in internal networks');
  await expectRoles(docker);
  say('the service can read and write rows, and cannot change tables');
  await docker.compose('run', '--rm', 'tools', 'temporal', 'workflow', 'describe', '--workflow-id', first ?? '');
  const taken = takeArtworks(account, receiver, load);
  await sleep(1500);
  for (const name of ['api', 'worker', 'providers', 'embedded', 'temporal', 's3']) await killOne(docker, name);
  await taken;
  say(`${load} artworks survived the kill of six containers`);
  await docker.compose('down');
  await docker.compose('up', '--detach', '--wait');
  const kept = await ended(account, first ?? '');
  expectEqual('after down and up, the artwork is', kept.status, 'SUCCEEDED');
  say('artworks survive "down" and "up"');
}

async function createAccount({ compose }: Docker, baseUrl: string): Promise<Account> {
  const operate = async (...args: string[]) =>
    JSON.parse(await compose('exec', '-T', 'api', 'node', 'operator/main.ts', ...args, '--json')) as Readonly<
      Record<string, string>
    >;
  const { orgId = '', webhookSecret = '' } = await operate('organizations', 'create', 'Acme');
  const { apiKey: adminKey = '' } = await operate('keys', 'create', orgId, '--scope', 'admin');
  return { baseUrl, adminKey, webhookSecret };
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

const reaches = (host: string, port: number) => `
  const socket = require('node:net').connect({ host: '${host}', port: ${port}, timeout: 3000 });
  const end = (text) => () => { console.log(text); process.exit(); };
  socket.on('connect', end('reached')).on('error', end('not reached')).on('timeout', end('not reached'));`;

/** Expects which services reach each other, which reach a receiver on this machine, and which networks are internal. */
async function expectSeparation({ compose, docker }: Docker, receiver: Receiver): Promise<void> {
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

async function expectRoles({ compose }: Docker): Promise<void> {
  const output = await compose('exec', '-T', 'api', 'node', '-e', changesTable);
  // 42501 is "insufficient privilege".
  expectEqual('statements of the service', output.trim(), 'done 42501 42501 42501');
}

/** Kills the main process of one container of a service from outside, so that Docker restarts it. */
async function killOne({ compose, docker }: Docker, service: string): Promise<void> {
  const [container = ''] = (await compose('ps', '--quiet', service)).trim().split('\n');
  const pid = Number(await docker('inspect', container, '--format', '{{.State.Pid}}'));
  process.kill(pid, 'SIGKILL');
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what} ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}
