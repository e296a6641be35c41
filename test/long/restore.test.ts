/**
 * Backups of the whole service, made under load with the commands of docs/deploy/backup-and-restore.md: the machines
 * vanish, the service is restored, and every artwork of the backup ends once.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../store/ids.ts';
import { call, create } from '../support/client.ts';
import type { Deployment } from '../support/deployment.ts';
import { boat } from '../support/drill-artworks.ts';
import { eventually } from '../support/eventually.ts';
import { type Backup, expectDelivered, expectRestored } from '../support/expect-restored.ts';
import { readPage } from '../support/page-commands.ts';
import { type RestoreDrill, sizeOf, startRestoreDrill, stopwatch } from '../support/restore-drill.ts';

jest.setTimeout(900_000);

const page = readPage('docs/deploy/backup-and-restore.md');
let drill: RestoreDrill;
let deployment: Deployment;
/** Ranges of ids whose rows a restore has lost. Their objects may remain: objects are copied after the rows. */
const lostRanges: { after: string; until: string }[] = [];

beforeAll(async () => {
  drill = await startRestoreDrill({ page, settings: archiveSettings });
  ({ deployment } = drill);
  console.info(`PostgreSQL ${deployment.version}`);
});
afterAll(() => drill?.stop());

/** Returns the settings of the page for a folder of backups. */
function archiveSettings(backups: string): Record<string, string> {
  const lines = page.block('archive').replaceAll('/backups', backups).split('\n');
  const settings = lines.map((line) => /^(\w+) = '?(.*?)'?$/.exec(line) ?? []);
  return Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value]));
}

const asPostgres = (name: string, env: NodeJS.ProcessEnv = {}) => deployment.asPostgres(page.block(name), env);
const asService = (name: string) => deployment.asService(page.block(name));
const query = async (sql: string) => (await deployment.asPostgres(`psql --dbname=postgres -Atc "${sql}"`)).trim();

/** Returns the last command of its block. */
const dumpOfAtelier = () => page.block('dump').split('\n').at(-1) ?? '';

async function expectAll(backup: Backup): Promise<void> {
  await expectRestored(deployment.stack, drill, backup);
  lostRanges.push({ after: backup.ids.toSorted().at(-1) ?? '', until: newId('art', backup.lostAt) });
  // Its commands fail when they find something.
  await asService('check');
  await deleteAll();
}

/** Deletes all artworks: restored and revived workflows purge them. */
async function deleteAll(): Promise<void> {
  const { stack } = deployment;
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  try {
    // Not the claims of requests that the loss has interrupted.
    const { rows } = await sql.query<{ id: string }>(`select id from artwork where status <> 'ABANDONED'`);
    const ids = rows.map(({ id }) => id);
    for (const id of ids) {
      const url = `${stack.baseUrl}/v2/artworks/${id}`;
      expect((await call(url, { method: 'DELETE', key: stack.adminKey })).status).toBe(204);
    }
    const countLeft = async () => (await sql.query('select from artwork where id = any($1)', [ids])).rowCount;
    await eventually(async () => expect(await countLeft()).toBe(0), 60_000);
  } finally {
    await sql.end();
  }
}

test('a restore to a moment: PostgreSQL is lost, and the objects remain', async () => {
  const { backups } = deployment.folders;
  const made = await drill.begin();
  const sinceStart = stopwatch();
  await asPostgres('base-backup');
  console.info(`the base backup took ${sinceStart()} s: ${sizeOf(join(backups, 'base'))}`);
  await drill.load().more(5);
  const ids = drill.acceptedWith(made);
  const moment = await query('select clock_timestamp()');
  await drill.load().more(5);
  const lost = [await drill.createLost()];
  // Otherwise, `archive_timeout` archives the segment within a minute.
  const segment = await query('select pg_walfile_name(pg_switch_wal())');
  await eventually(async () => expect(await query('select last_archived_wal from pg_stat_archiver')).toBe(segment));
  console.info(`the archive has ${sizeOf(join(backups, 'wal'))}`);

  const lostAt = await drill.lose('postgres', 'temporal');
  const revived = await drill.restore(async () => {
    await asPostgres('restore-to-moment', { MOMENT: moment });
    await deployment.startPostgres(archiveSettings(backups));
    await asPostgres('wait-for-recovery');
    await deployment.startTemporal();
  }, ids);
  expect(revived).toBe(0);
  await expectAll({ made, ids, lost, moment: Date.parse(moment), lostAt });
});

test('a restore of dumps: everything is lost', async () => {
  const { backups } = deployment.folders;
  const made = await drill.begin();
  const extra: string[] = [];
  let [ids, moment]: [string[], number] = [[], NaN];
  const sinceStart = stopwatch();
  for (const command of page.block('dump').split('\n')) {
    // The load alone would rarely create artworks between two of the dumps.
    extra.push((await create(drill.client, { ...boat, webhookUrl: drill.receiver.url })).id);
    [ids, moment] = [[...drill.acceptedWith(made), ...extra], Date.now()];
    await deployment.asPostgres(command);
  }
  const dumped = sinceStart();
  await asService('copy-objects');
  const sizes = readdirSync(backups).flatMap((name) =>
    /\./.test(name) ? `${name} ${sizeOf(join(backups, name))}` : [],
  );
  console.info(`the dumps took ${dumped} s, with the copy of the objects ${sinceStart()} s: ${sizes.join(', ')}`);
  const lost = [await drill.createLost()];

  const lostAt = await drill.lose('postgres', 'temporal', 's3');
  const restorePostgres = async () => {
    await deployment.startPostgres();
    for (const name of ['restore-roles', 'restore-temporal', 'restore-atelier']) await asPostgres(name);
    await deployment.startTemporal();
  };
  const revived = await drill.restore(() => withObjects(restorePostgres()), ids);
  // At least the one that was created between the dumps of Temporal and of Atelier.
  expect(revived).toBeGreaterThan(0);
  await expectAll({ made, ids, lost, moment, lostAt });
});

test("a restore of Atelier's database and the objects: Temporal's histories are lost", async () => {
  const made = await drill.begin();
  const [ids, moment] = [drill.acceptedWith(made), Date.now()];
  await deployment.asPostgres(dumpOfAtelier());
  await asService('copy-objects');
  const lost = [await drill.createLost()];

  const lostAt = await drill.lose('postgres', 'temporal', 's3');
  const restorePostgres = async () => {
    await deployment.startPostgres();
    for (const name of ['restore-roles', 'restore-atelier']) await asPostgres(name);
    await deployment.startTemporal();
    await asService('prepare');
  };
  const revived = await drill.restore(() => withObjects(restorePostgres()), ids);
  expect(revived).toBeGreaterThanOrEqual(ids.length);
  await expectAll({ made, ids, lost, moment, lostAt });
});

/** Restores the objects while PostgreSQL and Temporal are restored. */
async function withObjects(restoring: Promise<void>): Promise<void> {
  await asService('restore-objects');
  await deployment.startS3();
  await restoring;
}

test('afterwards, only objects of lost artworks remain', () => {
  // The S3 server keeps the objects of an artwork in a folder.
  const remaining = readdirSync(join(deployment.folders.objects, 'atelier')).filter((name) => name.startsWith('art_'));
  const isLost = (id: string) => lostRanges.some(({ after, until }) => id > after && id <= until);
  expect(remaining.filter((id) => !isLost(id))).toEqual([]);
  console.info(`objects of ${remaining.length} lost artworks remain`);
});

test("a restore of Atelier's database alone: Temporal is newer", async () => {
  const made = await drill.begin();
  const ids = drill.acceptedWith(made);
  // Temporal knows the attempts after the backup, so they are not repeated, and their records are lost.
  const underWay = [made.waiting.id, made.refused];
  for (const id of ids) if (!underWay.includes(id)) await expectDelivered(drill.client, id);
  const moment = Date.now();
  await deployment.asPostgres(dumpOfAtelier());
  // Its workflow ends it. Its restored row is unfinished.
  drill.provider.release();
  await drill.receiver.until(made.waiting.id);
  const lost = [await drill.createLost()];

  const lostAt = await drill.lose();
  await drill.restore(async () => {
    await asPostgres('restore-atelier');
    await asService('restart-unfinished');
  }, ids);
  await expectAll({ made, ids, lost, moment, lostAt });
});

test('every command of the page has run', () => {
  expect(page.unused()).toEqual([]);
});
