/**
 * Backups of the whole service, made under load with the commands of docs/deploy/backup-and-restore.md: the machines
 * vanish, the service is restored, and every artwork of the backup ends once.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../store/ids.ts';
import { openAccounts } from '../support/accounts.ts';
import { call, create, ended } from '../support/client.ts';
import { type Deployment, type Part, startDeployment } from '../support/deployment.ts';
import {
  boat,
  createDrillArtworks,
  createOnce,
  type DrillArtworks,
  type Request,
  type Surroundings,
} from '../support/drill-artworks.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type Backup, expectRestored } from '../support/expect-restored.ts';
import { readPage } from '../support/page-commands.ts';
import { priced } from '../support/prices.ts';
import { startReceiver } from '../support/receiver.ts';
import { type RepeatingClient, startRepeatingClient } from '../support/repeating-client.ts';
import { shared } from '../support/shared.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

jest.setTimeout(600_000);

const page = readPage('docs/deploy/backup-and-restore.md');
const price = 10;
const credits = 1_000_000;
let fal: UpstreamFake;
let deployment: Deployment;
let around: Surroundings;
let isReceiverDown: boolean;
let load: RepeatingClient;
/** The range of the ids whose rows the first restore has lost, unlike their objects. */
let orphans: { after: string; until: string };

beforeAll(async () => {
  const [receiver, provider] = await Promise.all([
    startReceiver((response, _nth, { path }) => {
      response.writeHead(isReceiverDown && path.endsWith('/refused') ? 500 : 200).end();
    }),
    startReplicate({ apiKey }),
  ]);
  fal = await startFal({ apiKey });
  const engines = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', provider) },
    models: { selena: [flux], quantum: [schnell] },
  });
  const prices = await priced({ selena: { base: price }, quantum: { base: price } });
  deployment = await startDeployment({
    page,
    settings: archiveSettings,
    env: { ...engines, ...prices, ATELIER_WEBHOOK_SCHEDULE: '0s,2s,4s,8s,16s,32s,64s' },
    ofSecondApi: { ATELIER_RETENTION: '30s' },
  });
  const { stack } = deployment;
  const accounts = await openAccounts(stack);
  const key = await accounts.newKey({ credits });
  await accounts.close();
  const client = { baseUrl: stack.baseUrl, baseUrls: stack.baseUrls, adminKey: key.apiKey };
  around = { client, receiver, provider };
});
afterAll(async () => {
  load?.abandon();
  await deployment?.stop();
  await Promise.all([around?.receiver, around?.provider, fal].map((one) => one?.close()));
});
beforeEach(() => {
  isReceiverDown = true;
});

/** Returns the settings of the page for a folder of backups. */
function archiveSettings(backups: string): Record<string, string> {
  const lines = page.block('archive').replaceAll('/backups', backups).split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+) = '?(.*?)'?$/.exec(line) ?? [];
      return [name, value];
    }),
  );
}

const asPostgres = (name: string, env: NodeJS.ProcessEnv = {}) => deployment.asPostgres(page.block(name), env);
const asService = (name: string) => deployment.asService(page.block(name));
const query = async (sql: string) =>
  (await deployment.asPostgres(`psql --dbname=postgres -Atc "${sql}"`)).trim();

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.info(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}

const sizeOf = (path: string) => `${execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]} MB`;

/** Creates artworks in every state, while other clients create artworks. */
async function begin(): Promise<DrillArtworks> {
  const { client, receiver } = around;
  load = startRepeatingClient(
    // The artworks of the second API expire within seconds.
    { baseUrls: [client.baseUrl] },
    {
      ...{ apiKey: client.adminKey, atOnce: 2, pause: 700 },
      requests: [{ operation: 'selena', body: { ...boat, webhookUrl: receiver.url } }],
    },
  );
  await load.more(5);
  try {
    return await createDrillArtworks(around);
  } catch (error) {
    const id = /art_\w+/.exec(String(error))?.[0] ?? '';
    console.info(await deployment.asService(`npm run operator -- artworks show ${id}; npm run operator -- workflows show ${id} || true`));
    execFileSync('cp', ['-a', shared().folder, '/tmp/restore-debug']);
    throw error;
  }
}

/** Returns the artworks that have been accepted so far, except for brief ones. */
const acceptedWith = ({ delivered, refused, waiting, uploaded, encoded }: DrillArtworks) => [
  ...load.accepted,
  ...[delivered.id, refused, waiting.id, uploaded, encoded.id],
];

/** Creates an artwork that no backup has. */
async function createLost(): Promise<Request> {
  const lost = await createOnce(around.client, { key: randomUUID(), body: { ...boat, webhookUrl: around.receiver.url } });
  await around.receiver.until(lost.id, 1, 60_000);
  return lost;
}

async function lose(...parts: Part[]): Promise<number> {
  await deployment.kill(...parts);
  load.abandon();
  return Date.now();
}

/** Restores the service, and prints how long it takes. */
async function restore(restoreParts: () => Promise<void>, ids: readonly string[]): Promise<number> {
  let revived = NaN;
  await timed('from the loss to the last end of an artwork', async () => {
    await timed('from the loss to the first accepted artwork', async () => {
      await timed('restore of the data', restoreParts);
      await deployment.startService();
      await create(around.client, boat);
    });
    revived = Number(/^revived +(\d+)$/m.exec(await timed('revival', () => asService('revive')))?.[1]);
    around.provider.release();
    isReceiverDown = false;
    for (const id of ids) await ended(around.client, id, 90_000);
  });
  return revived;
}

async function expectAll(backup: Backup): Promise<void> {
  await timed('checks', () => expectRestored(deployment.stack, around, backup));
  console.info(await asService('check'));
}

test('a restore to a moment: PostgreSQL is lost, and the objects remain', async () => {
  const made = await begin();
  await timed('base backup', () => asPostgres('base-backup'));
  console.info(`base backup: ${sizeOf(`${deployment.folders.backups}/base`)}`);
  await load.more(5);
  const ids = acceptedWith(made);
  const moment = await query('select clock_timestamp()');
  await load.more(5);
  const lost = [await createLost()];
  // Otherwise, `archive_timeout` archives the segment within a minute.
  const segment = await query('select pg_walfile_name(pg_switch_wal())');
  await eventually(async () => expect(await query('select last_archived_wal from pg_stat_archiver')).toBe(segment));
  console.info(`archive: ${sizeOf(`${deployment.folders.backups}/wal`)}`);

  const lostAt = await lose('postgres', 'temporal');
  const revived = await restore(async () => {
    await asPostgres('restore-to-moment', { MOMENT: moment });
    await deployment.startPostgres(archiveSettings(deployment.folders.backups));
    await asPostgres('wait-for-recovery');
    await deployment.startTemporal();
  }, ids);
  expect(revived).toBe(0);
  await expectAll({ made, ids, lost, moment: Date.parse(moment), lostAt });
  orphans = { after: ids.toSorted().at(-1) ?? '', until: newId('art', lostAt) };
});

test('a restore of dumps: everything is lost', async () => {
  const made = await begin();
  const { backups } = deployment.folders;
  const between: string[] = [];
  await timed('dumps', async () => {
    // The load alone would rarely create artworks between two of the dumps.
    for (const command of page.block('dump').split('\n')) {
      between.push((await create(around.client, { ...boat, webhookUrl: around.receiver.url })).id);
      await deployment.asPostgres(command);
    }
  });
  const moment = Date.now();
  const ids = [...acceptedWith(made), ...between];
  await timed('copy of the objects', () => asService('copy-objects'));
  console.info(`backup: ${sizeOf(backups)}`);
  const lost = [await createLost()];

  const lostAt = await lose('postgres', 'temporal', 's3');
  const revived = await restore(async () => {
    await Promise.all([
      deployment.startPostgres().then(async () => {
        for (const name of ['restore-roles', 'restore-temporal', 'restore-atelier']) await asPostgres(name);
        await deployment.startTemporal();
      }),
      asService('restore-objects').then(() => deployment.startS3()),
    ]);
  }, ids);
  // At least the one that was created between the dumps of Temporal and of Atelier.
  expect(revived).toBeGreaterThan(0);
  await expectAll({ made, ids, lost, moment, lostAt });
});

test("a restore of Atelier's database and the objects: Temporal's histories are lost", async () => {
  const made = await begin();
  const ids = acceptedWith(made);
  const moment = Date.now();
  await deployment.asPostgres(page.block('dump').split('\n').at(-1) ?? '');
  await asService('copy-objects');
  const lost = [await createLost()];

  const lostAt = await lose('postgres', 'temporal', 's3');
  const revived = await restore(async () => {
    await Promise.all([
      deployment.startPostgres().then(async () => {
        for (const name of ['restore-roles', 'restore-atelier']) await asPostgres(name);
        await deployment.startTemporal();
        await asService('prepare');
      }),
      asService('restore-objects').then(() => deployment.startS3()),
    ]);
  }, ids);
  expect(revived).toBeGreaterThanOrEqual(ids.length);
  await expectAll({ made, ids, lost, moment, lostAt });
});

test('afterwards, every artwork can be deleted, and only objects of lost artworks remain', async () => {
  const { stack } = deployment;
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  const find = async () => (await sql.query<{ id: string }>('select id from artwork')).rows.map(({ id }) => id);
  for (const id of await find()) {
    const url = `${stack.baseUrl}/v2/artworks/${id}`;
    expect((await call(url, { method: 'DELETE', key: stack.adminKey })).status).toBe(204);
  }
  await eventually(async () => expect(await find()).toEqual([]), 60_000);
  await sql.end();
  // The folder of the S3 server has a folder for each owner of objects.
  const remaining = readdirSync(join(deployment.folders.objects, 'atelier')).filter((name) => name.startsWith('art_'));
  expect(remaining.filter((id) => id <= orphans.after || id > orphans.until)).toEqual([]);
  console.info(`objects of ${remaining.length} lost artworks remain`);
  expect(page.unused()).toEqual([]);
});
