/** Entries of the audit log are sealed, and whatever somebody changes in the database afterwards is found. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createWorkerMetrics } from '../../runtime/metrics.ts';
import type { AuditAction } from '../../schemas/audit.ts';
import { operator, recordChange } from '../../store/audit.ts';
import { digestOfEntry, digestOfSeal } from '../../store/audit-digest.ts';
import type { Database } from '../../store/database.ts';
import { AuditEntry, AuditSeal } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';
import { createOrganization } from '../../store/organizations.ts';
import { oldestUnsealed, sealNext } from '../../store/seal-audit.ts';
import { sweep } from '../../store/sweep.ts';
import { openVault } from '../../store/vault.ts';
import { verifyChain } from '../../store/verify-audit.ts';
import { sealAudit } from '../../workers/seal-audit.ts';
import { ownDatabase, type OwnDatabase, secret } from '../support/database.ts';
import { openTestDatabase } from '../support/open-database.ts';

const nextSecret = 'the next secret for tests, 32 characters';
const day = 86_400_000;
const vault = openVault(secret);
let own: OwnDatabase;
let db: Database;
let org: string;

beforeAll(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
});
beforeEach(async () => {
  await own.sql.query('truncate audit_entry, audit_seal');
  org = newId('org');
  // Its creation is the first entry.
  await createOrganization(db, vault, { id: org, name: 'Sealed', now: new Date() });
});
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

const record = (target: string, at = new Date(), owner: string | null = org) => {
  const action: AuditAction = 'style.deleted';
  return recordChange(db.em(), operator, { org: owner, action, target, changes: { n: [1, { b: 2, a: 1 }] }, at });
};
const sealAll = async (by = vault, now = new Date()) => {
  const sealed: AuditSeal[] = [];
  for (let seal = await sealNext(db, by, now); seal; seal = await sealNext(db, by, now)) sealed.push(seal);
  return sealed;
};
const verify = (by = vault, now = new Date()) => verifyChain(db, by, org, now);
const sql = (text: string, ...values: unknown[]) => own.sql.query(text, values);
const ids = async () =>
  (await db.em().find(AuditEntry, { org }, { orderBy: { id: 'asc' } })).map((entry) => entry.id) as [
    string,
    string,
    string,
    string,
  ];

/** Makes three seals: of the creation and an entry, of one entry, and of one entry. */
async function threeSeals(): Promise<void> {
  for (const target of ['a', 'b', 'c']) {
    await record(target);
    await sealAll();
  }
}

test('seals every entry once, with the chain of its organization', async () => {
  await record('without organization', new Date(), null);
  await threeSeals();
  const seals = await db.em().find(AuditSeal, { org }, { orderBy: { number: 'asc' } });
  expect(seals.map(({ number, entries }) => [number, entries.length])).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
  ]);
  expect(seals.map(({ previous }) => previous ?? null)).toEqual([null, seals[0]?.sha256, seals[1]?.sha256]);
  expect(seals.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(await ids());
  expect(await oldestUnsealed(db)).toBeNull();
  expect(await verify()).toBeNull();
  expect(await verifyChain(db, vault, null, new Date())).toBeNull();
  expect(await sealAll()).toEqual([]);
});

test('several processes that seal at once make one chain', async () => {
  for (let n = 0; n < 20; n++) await record(`${n}`);
  const others = [openTestDatabase(own.url), openTestDatabase(own.url)];
  await Promise.all([db, ...others].flatMap((one) => [sealNext(one, vault, new Date()), record('meanwhile')]));
  await Promise.all(others.map((one) => one.close()));
  await sealAll();
  expect(await verify()).toBeNull();
  expect(await db.em().count(AuditEntry, { seal: null })).toBe(0);
});

test('accepts the entries of the previous release, which knows neither names nor seals', async () => {
  await sql(
    `insert into audit_entry (id, org_id, at, actor, action, target, changes, address, request_id)
     values ($1, $2, now(), 'operator', 'api_key.created', 'key_1', '{"label":"x"}', null, null)`,
    newId('aud'),
    org,
  );
  await sealAll();
  expect(await verify()).toBeNull();
});

const hash = '0'.repeat(64);
test.each<[string, () => Promise<unknown>, (all: [string, string, string, string]) => [string, string]]>([
  [
    'the changes of an entry',
    async () => sql(`update audit_entry set changes = '{}' where id = $1`, (await ids())[2]),
    ([, , third]) => [third, 'was changed'],
  ],
  [
    'the name of an operator',
    async () => sql(`update audit_entry set operator_name = 'mallory' where id = $1`, (await ids())[1]),
    ([, second]) => [second, 'was changed'],
  ],
  [
    'the time of an entry',
    async () => sql(`update audit_entry set at = at + interval '1 second' where id = $1`, (await ids())[3]),
    ([, , , fourth]) => [fourth, 'was changed'],
  ],
  [
    'two entries that were swapped',
    async () => {
      const [first, second] = await ids();
      await sql(
        `update audit_entry as one set action = other.action, target = other.target, changes = other.changes
         from audit_entry as other
         where one.id <> other.id and one.id in ($1, $2) and other.id in ($1, $2)`,
        first,
        second,
      );
    },
    ([first]) => [first, 'was changed'],
  ],
  [
    'an entry that was deleted',
    async () => sql('delete from audit_entry where id = $1', (await ids())[1]),
    ([, second]) => [second, 'was removed'],
  ],
  [
    'an entry that was added to a seal',
    () =>
      sql(
        `insert into audit_entry (id, org_id, at, actor, action, target, changes, seal)
         values ('aud_7ZZZ', $1, now(), 'operator', 'style.deleted', 'x', '{}', 2)`,
        org,
      ),
    () => ['aud_7ZZZ', 'was added'],
  ],
  [
    'an entry that was moved to another seal',
    async () => sql('update audit_entry set seal = 3 where id = $1', (await ids())[2]),
    ([, , third]) => [third, 'was removed from seal 2'],
  ],
  [
    'a changed entry that is sealed again',
    async () => {
      await sql(`update audit_entry set seal = null, target = 'y' where id = $1`, (await ids())[2]);
      await sealAll();
    },
    ([, , third]) => [third, 'was removed from seal 2'],
  ],
  [
    'the last seal, deleted',
    () => sql('delete from audit_seal where org_id = $1 and number = 3', org),
    () => ['seal 3', 'was removed'],
  ],
  [
    'a seal in the middle, deleted',
    () => sql('delete from audit_seal where org_id = $1 and number = 2', org),
    () => ['seal 2', 'was removed'],
  ],
  [
    'the first seal, deleted with its entries',
    async () => {
      await sql('delete from audit_entry where org_id = $1 and seal = 1', org);
      await sql('delete from audit_seal where org_id = $1 and number = 1', org);
    },
    () => ['seal 1', 'was removed'],
  ],
  ['all seals, deleted', () => sql('delete from audit_seal where org_id = $1', org), () => ['seal 1', 'was removed']],
  [
    'a seal that was changed',
    () => sql(`update audit_seal set sealed_at = sealed_at - interval '1 hour' where org_id = $1 and number = 2`, org),
    () => ['seal 2', 'was changed'],
  ],
  [
    'a seal whose digest was changed, too',
    () => sql('update audit_seal set sha256 = $2 where org_id = $1 and number = 2', org, hash),
    () => ['seal 2', 'was changed'],
  ],
  [
    'an entry that was changed with its seal, without the secret',
    async () => {
      await sql(`update audit_entry set target = 'forged' where org_id = $1 and seal = 3`, org);
      await forge(3);
    },
    () => ['seal 3', 'HMAC is wrong'],
  ],
  [
    'an entry that was changed with its seal, which names another secret',
    async () => {
      await sql(`update audit_entry set target = 'forged' where org_id = $1 and seal = 3`, org);
      await forge(3, { secretId: 'ffffffffffffffff' });
      await record('next');
      await sealAll();
    },
    () => ['seal 3', 'another ATELIER_SECRET'],
  ],
  [
    'a seal that was replaced by a genuine one of another chain',
    async () => {
      await record('without organization', new Date(), null);
      await sealAll();
      await sql('delete from audit_seal where org_id = $1 and number = 1', org);
      await sql('update audit_seal set org_id = $1 where org_id is null', org);
    },
    () => ['seal 1', 'was changed'],
  ],
])('finds %s', async (_what, tamper, expected) => {
  await threeSeals();
  expect(await verify()).toBeNull();
  const before = await ids();
  await tamper();
  const [subject, fault] = expected(before);
  expect(await verify()).toEqual({ subject, fault: expect.stringContaining(fault) });
});

/** Makes a seal match its entries, as somebody can who has the database but not the secret. */
async function forge(number: number, other: { secretId?: string } = {}): Promise<void> {
  const seal = { ...(await db.em().findOneOrFail(AuditSeal, { org, number })), ...other };
  const rows = await db.em().find(AuditEntry, { org, seal: number }, { orderBy: { id: 'asc' } });
  seal.entries = rows.map((entry) => ({ id: entry.id, sha256: digestOfEntry(entry) }));
  const change = { entries: seal.entries, secretId: seal.secretId, sha256: digestOfSeal(seal) };
  await db.em().nativeUpdate(AuditSeal, { id: seal.id }, change);
}

test('reports entries that are not sealed within 15 minutes', async () => {
  await sealAll();
  await record('fresh', new Date(Date.now() - 14 * 60_000));
  expect(await verify()).toBeNull();
  await record('late', new Date(Date.now() - 16 * 60_000));
  expect(await verify()).toEqual({ subject: expect.stringMatching(/^aud_/), fault: expect.stringContaining('is not') });
});

test('the current secret verifies every seal after a rotation, also of chains without new entries', async () => {
  await threeSeals();
  expect(await verify(openVault(nextSecret))).toMatchObject({ fault: expect.stringContaining('ATELIER_PREVIOUS') });
  const rotating = openVault(nextSecret, secret);
  expect(await verify(rotating)).toBeNull();
  expect((await sealAll(rotating)).map(({ entries }) => entries)).toEqual([[]]);
  expect(await sealAll(rotating)).toEqual([]);
  expect(await verify(openVault(nextSecret))).toBeNull();
});

test('a rotation without the previous secret is reported until the previous secret is named', async () => {
  await threeSeals();
  await record('with the next secret');
  await sealAll(openVault(nextSecret));
  expect(await verify(openVault(nextSecret))).toMatchObject({ subject: 'seal 1' });
  expect(await verify(openVault(nextSecret, secret))).toBeNull();
});

test('entries and seals are deleted after two years, and what remains verifies', async () => {
  const past = (days: number) => new Date(Date.now() - days * day);
  await sql('truncate audit_entry, audit_seal');
  for (const days of [800, 740, 720]) {
    await record(`${days}`, past(days));
    await sealAll(vault, past(days));
  }
  // One seal with an entry that is deleted and one that remains.
  await record('800', past(800));
  await record('1', past(1));
  await sealAll();
  await sweep(db, new Date(), new AbortController().signal);
  const rows = await db.em().find(AuditEntry, { org }, { orderBy: { id: 'asc' } });
  expect(rows.map(({ target, seal }) => [target, seal])).toEqual([
    ['720', 3],
    ['1', 4],
  ]);
  expect(await db.em().count(AuditSeal, { org })).toBe(2);
  expect(await verify()).toBeNull();

  await sql('delete from audit_seal where number = 3');
  expect(await verify()).toEqual({ subject: 'seal 3', fault: 'was removed' });
});

test('a worker reports each seal in its log, and until when entries are sealed', async () => {
  const lines: object[] = [];
  const log = { info: (fields: object, msg: string) => void lines.push({ ...fields, msg }), warn: fail, error: fail };
  const metrics = createWorkerMetrics();
  const began = Date.now();
  await sealAudit({ db, vault, log, metrics, now: Date.now }, new AbortController().signal);
  const seal = await db.em().findOneOrFail(AuditSeal, { org });
  expect(lines).toEqual([{ orgId: org, seal: 1, entries: 1, sha256: seal.sha256, msg: 'Sealed audit entries' }]);
  const { values } = await metrics.auditSealed.get();
  expect(values[0]?.value).toBeGreaterThanOrEqual(began / 1000);

  // Another process seals and does not finish.
  const at = new Date(began - 60_000);
  await record('waiting', at);
  await sql('begin');
  await sql('select pg_advisory_xact_lock(26112043)');
  await sealAudit({ db, vault, log, metrics, now: Date.now }, new AbortController().signal);
  await sql('rollback');
  expect((await metrics.auditSealed.get()).values[0]?.value).toBe(at.getTime() / 1000);
});

const fail = () => {
  throw new Error('No warning and no error was expected');
};

test('the chain of an erased organization is deleted with it', async () => {
  await threeSeals();
  await sql('delete from organization where id = $1', org);
  expect(await db.em().count(AuditSeal, { org })).toBe(0);
  expect(await db.em().count(AuditEntry, { org })).toBe(0);
});
