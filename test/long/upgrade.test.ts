/** A rolling upgrade from the last release and a rollback to it, under load: nothing is lost, and no workflow gets stuck. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import type { Running } from '../../scripts/local/child.ts';
import { type ClaimedPort, claimPort } from '../../scripts/local/ports.ts';
import { startService } from '../../scripts/local/service.ts';
import { call } from '../support/client.ts';
import { dataUri } from '../../engines/local/test/photos.ts';
import { eventually } from '../support/eventually.ts';
import { expectNoFailedTask } from '../support/failed-tasks.ts';
import { installLastRelease } from '../support/last-release.ts';
import { createEmptyDatabase } from '../support/migrated-database.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';
import { runIn } from '../support/production-install.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { type RepeatingClient, startRepeatingClient } from '../support/repeating-client.ts';
import { shared } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { openTemporal } from '../support/temporal.ts';

jest.setTimeout(900_000);

const { NODE_OPTIONS: _ours, ...outer } = process.env;
const thisRelease = fileURLToPath(new URL('../..', import.meta.url));
let lastRelease: string;
let service: Service;
let receiver: Receiver;
let sql: pg.Client;
let image: string;
let ports: ClaimedPort[];
let apis: Running[];
let workers: Running[];
let load: RepeatingClient;
/** Takes minutes, in which the other tests run. */
let recording: ReturnType<typeof recordHistories>;

beforeAll(async () => {
  [lastRelease, receiver, ports] = await Promise.all([
    installLastRelease(),
    // The first delivery at this path fails, so that some artworks wait for their next attempt during each change.
    startReceiver((response, nth, { path }) => {
      response.writeHead(path.endsWith('again') && nth === 1 ? 500 : 200).end();
    }),
    Promise.all([claimPort(0), claimPort(0)]),
  ]);
  recording = recordHistories();
  recording.catch(() => undefined);
  image = dataUri(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'green' } })
      .png()
      .toBuffer(),
  );
  service = await prepareService();
  sql = new pg.Client(service.databaseUrl);
  await sql.connect();
  [apis, workers] = await Promise.all([
    Promise.all([0, 1].map((index) => startApi(lastRelease, index))),
    Promise.all([0, 1].map(() => startWorker(lastRelease))),
  ]);
  load = startRepeatingClient(service, {
    // Slower than the embedded engines work, also on a busy machine.
    ...{ apiKey: service.adminKey, atOnce: 2, pause: 1500 },
    requests: [
      { operation: 'selena', body: { ...boat, webhookUrl: receiver.url } },
      { operation: 'upscaling', body: { image, scale: 2, webhookUrl: `${receiver.url}/again` } },
      { operation: 'hamilton', body: { ...boat, promptMode: 'seer', numImages: 1, webhookUrl: receiver.url } },
    ],
  });
});
afterAll(async () => {
  load?.abandon();
  await Promise.all([...apis, ...workers].map((one) => one.stop()));
  for (const port of ports) port.release();
  await sql.end();
  await receiver.close();
});

const boat = { prompt: 'a boat on a lake', width: 256, height: 256 };

/** Creates the database and an organization with the commands of the last release. */
async function prepareService(): Promise<Service> {
  const { databaseUrl: serverUrl, temporalAddress, folder } = shared();
  const name = `t${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await createEmptyDatabase(serverUrl, name);
  const secret = 'a secret for tests, at least 32 characters';
  const baseUrls = ports.map(({ port }) => `http://127.0.0.1:${port}`);
  const dataFolder = join(folder, name);
  const env = {
    ...outer,
    ...{ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, ATELIER_TASK_QUEUE: name },
    ...{ ATELIER_DATA: dataFolder, ATELIER_SECRET: secret, ATELIER_PUBLIC_URL: baseUrls[0] },
    ...{ ATELIER_ALLOWED_HOSTS: '127.0.0.1', ATELIER_WEBHOOK_SCHEDULE: '0s,10s,60s' },
  };
  await runScript(lastRelease, env, 'scripts/migrate.ts');
  const operator = (...args: string[]) => runScript(lastRelease, env, 'operator/main.ts', '--json', ...args);
  const { orgId, webhookSecret } = JSON.parse(await operator('organizations', 'create', 'Acme')) as Service;
  const { apiKey } = JSON.parse(await operator('keys', 'create', orgId, '--scope', 'admin')) as { apiKey: string };
  return {
    ...{ baseUrl: baseUrls[0] ?? '', baseUrls, databaseUrl, taskQueue: name, secret, dataFolder, env },
    ...{ orgId, adminKey: apiKey, webhookSecret },
  };
}

async function runScript(root: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runIn(root, env, process.execPath, ...args);
  if (code !== 0) throw new Error(`${args.join(' ')} of ${root}: ${stderr}`);
  return stdout;
}

/** @returns the folder of the histories */
async function recordHistories(): Promise<string> {
  const folder = join(shared().folder, 'histories');
  await runScript(thisRelease, outer, 'scripts/record-histories.ts', folder);
  return folder;
}

const start = (root: string, entry: string, own: NodeJS.ProcessEnv = {}) =>
  startService({
    ...{ name: entry, entry: join(root, entry), env: { ...service.env, ...own } },
    logFile: join(service.dataFolder, `${entry.replace(/\W/g, '-')}.log`),
  });
const startApi = (root: string, index: number) => start(root, 'api/main.ts', { PORT: String(ports[index]?.port) });
const startWorker = (root: string) => start(root, 'workers/main.ts');

/** Replaces one worker after another. As docs/operating.md says, workers come first, and in a rollback last. */
async function replaceWorkers(root: string): Promise<void> {
  for (const index of workers.keys()) {
    const replacement = await startWorker(root);
    await workers[index]?.stop();
    workers[index] = replacement;
    await load.more(4);
  }
}

async function replaceApis(root: string): Promise<void> {
  for (const index of apis.keys()) {
    await apis[index]?.stop();
    apis[index] = await startApi(root, index);
    await load.more(4);
  }
}

/** Deletes artworks: their workflows, which have slept since before the change, wake up and purge them. */
async function expectPurge(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const url = `${service.baseUrl}/v2/artworks/${id}`;
    expect((await call(url, { method: 'DELETE', key: service.adminKey })).status).toBe(204);
    await eventually(async () => expect(await findRemains(service, sql, id)).toEqual(nothing));
  }
}

/** Expects that no release has failed to continue a workflow. */
async function expectSoundWorkflows(ids: readonly string[]): Promise<void> {
  const { client, close } = await openTemporal(service);
  try {
    await expectNoFailedTask(client, ids);
  } finally {
    await close();
  }
}

test('upgrade: each release continues the artworks of the other', async () => {
  await load.more(6);
  const old = load.accepted.slice(0, 2);
  await runScript(thisRelease, service.env, 'scripts/migrate.ts');
  // The last release still runs.
  await load.more(4);
  await replaceWorkers(thisRelease);
  await replaceApis(thisRelease);
  await load.more(6);
  await expectPurge(old);
});

test('rollback: the last release continues everything', async () => {
  const before = load.accepted.length;
  await load.more(6);
  const made = load.accepted.slice(before, before + 2);
  await replaceApis(lastRelease);
  await replaceWorkers(lastRelease);
  await load.more(6);
  await expectPurge(made);
});

test('afterwards, nothing is lost', async () => {
  const ids = await load.stop();
  const { rows } = await sql.query<{ id: string; operation: string }>(
    `select id, operation from artwork where status <> 'ABANDONED' order by id`,
  );
  // Four artworks were deleted.
  expect(rows).toHaveLength(ids.length - 4);
  const newFields = ['environment'];
  const idsOf = (retried: boolean) =>
    rows.filter(({ operation }) => (operation === 'upscaling') === retried).map(({ id }) => id);
  await expectNothingLost(service, receiver, idsOf(false), { deliveries: 2, newFields });
  await expectNothingLost(service, receiver, idsOf(true), { deliveries: 3, statuses: [500, 200], newFields });
  await expectSoundWorkflows(rows.map(({ id }) => id));
  console.info(`${ids.length} artworks, ${load.repeated} requests repeated`);
});

test('the last release replays a history of this release for each path of the workflows', async () => {
  const histories = await recording;
  const { code, stdout, stderr } = await runIn(
    thisRelease,
    outer,
    process.execPath,
    ...['scripts/replay-histories.ts', lastRelease, histories],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  console.info(stdout.trim());
});
