/** `operator audit`: the names of operators, the export and the verification of the audit log. */
import { writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWorkerMetrics } from '../../runtime/metrics.ts';
import type { Database } from '../../store/database.ts';
import { operator as author, recordChange } from '../../store/audit.ts';
import { newId } from '../../store/ids.ts';
import { createOrganization } from '../../store/organizations.ts';
import { openVault } from '../../store/vault.ts';
import { sealAudit } from '../../workers/seal-audit.ts';
import { ownDatabase, type OwnDatabase, secret } from '../support/database.ts';
import { at, enginesEnv, flux } from '../support/engines.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { shared } from '../support/shared.ts';

let own: OwnDatabase;
let db: Database;
let env: NodeJS.ProcessEnv;
const vault = openVault(secret);

beforeAll(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
  const engines = { engines: { fal: at('fal', { url: 'http://127.0.0.1:1' }) }, models: { quantum: [flux] } };
  env = { ...process.env, DATABASE_URL: own.url, ATELIER_SECRET: secret, ...enginesEnv(shared().folder, engines) };
});
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

interface Line {
  type: 'entry' | 'seal';
  seal: number | null | Record<string, unknown>;
  sha256?: string;
  entry?: Record<string, unknown>;
}

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await operator(env, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const exported = async (...args: string[]): Promise<Line[]> =>
  (await run('audit', 'export', ...args))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const seal = async () => {
  const lines: string[] = [];
  const write = (level: number) => (fields: object, msg: string) =>
    void lines.push(JSON.stringify({ level, time: Date.now(), ...fields, msg }));
  const log = { info: write(30), warn: write(40), error: write(50) };
  const metrics = createWorkerMetrics();
  await sealAudit({ db, vault, log, metrics, now: Date.now }, new AbortController().signal);
  return lines;
};

test('every change by the operator is recorded with a name, in the chain of its organization or in that of none', async () => {
  const json = async (...args: string[]) =>
    JSON.parse(await run('--as', 'Ada', '--json', ...args)) as { keyId: string };
  await json('organizations', 'create', 'Named', '--id', 'org_named');
  const { keyId } = await json('keys', 'create', 'org_named');
  await json('keys', 'update', 'org_named', keyId, '--rate-creations', '5');
  await json('credits', 'grant', 'org_named', keyId, '7');
  await json('keys', 'roll', 'org_named', keyId);
  await json('keys', 'revoke', 'org_named', keyId);
  await json('engines', 'pause', 'fal');
  await json('engines', 'resume', 'fal');
  const actions = async (...args: string[]) =>
    (await exported(...args)).flatMap(({ entry }) => (entry ? [[entry['action'], entry['operatorName']]] : []));
  expect(await actions('--org', 'org_named')).toEqual([
    ['organization.created', 'Ada'],
    ['api_key.created', 'Ada'],
    ['api_key.updated', 'Ada'],
    ['api_key.updated', 'Ada'],
    ['api_key.rolled', 'Ada'],
    ['api_key.revoked', 'Ada'],
  ]);
  expect((await actions()).slice(0, 2)).toEqual([
    ['engine.paused', 'Ada'],
    ['engine.resumed', 'Ada'],
  ]);
  const shown = JSON.parse(await run('--json', 'audit', 'org_named', '--limit', '1')) as object[];
  expect(shown).toMatchObject([{ action: 'api_key.revoked', actor: 'operator', operatorName: 'Ada' }]);
});

test('without --as, the name is that of the user on the machine; an unprintable name is rejected', async () => {
  const created = await operatorProcess(env, 'organizations', 'create', 'Unnamed', '--id', 'org_unnamed');
  expect(created).toMatchObject({ code: 0 });
  const [line] = await exported('--org', 'org_unnamed');
  expect(line?.entry).toMatchObject({ operatorName: (await import('node:os')).userInfo().username });
  const rejected = await operator(env, '--as', 'a\u001bb', 'organizations', 'list');
  expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('printable characters') });
});

test('exports entries with the numbers of their seals, then the seals, in pages and within a period', async () => {
  await createOrganization(db, vault, { id: 'org_many', name: 'Many', now: new Date() });
  await own.sql.query(
    `insert into audit_entry (id, org_id, at, actor, action, target, changes)
     select 'aud_00' || lpad(n::text, 24, '0'), 'org_many', 'epoch', 'service', 'style.deleted', 'ü' || n, '{"b":1,"a":[2]}'
     from generate_series(1, 2500) as n`,
  );
  await seal();
  const lines = await exported('--org', 'org_many');
  const entries = lines.filter(({ type }) => type === 'entry');
  expect(entries).toHaveLength(2501);
  expect(entries.every((entry) => typeof entry.seal === 'number')).toBe(true);
  const seals = lines.slice(entries.length);
  expect(seals.map((line) => line.type)).toEqual(Array.from({ length: 6 }, () => 'seal'));

  // As an auditor recomputes the digests, with sorted names.
  const sealed = new Map(seals.flatMap((line) => entriesOf(line).map(({ id, sha256 }) => [id, sha256])));
  for (const { entry } of entries) expect(sealed.get(String(entry?.['id']))).toBe(sha256Of(entry));
  for (const line of seals) expect(line.sha256).toBe(sha256Of(line.seal));

  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await exported('--org', 'org_many', '--since', since)).map(({ type }) => type)).toHaveLength(1 + 6);
  expect((await exported('--org', 'org_many', '--until', since)).map(({ type }) => type)).toHaveLength(2500);
});

const entriesOf = ({ seal }: Line) => (seal as { entries: { id: string; sha256: string }[] }).entries;
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
};
const sha256Of = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

test('verify exits with 1 and names what was changed, and compares the seals with a log of workers', async () => {
  const id = newId('org');
  await createOrganization(db, vault, { id, name: 'Verified', now: new Date() });
  const file = join(shared().folder, `${id}.log`);
  // Compose writes the name of the container before each line.
  writeFileSync(file, ['not JSON', ...(await seal())].join('\nworker-1  | '));
  const verify = (...args: string[]) => operator(env, '--json', 'audit', 'verify', '--org', id, ...args);
  const intact = { code: 0, stderr: '', stdout: '{\n  "faults": []\n}\n' };
  expect(await verify()).toEqual(intact);
  expect(await verify('--log', file)).toEqual(intact);

  await own.sql.query(`update audit_entry set target = 'x' where org_id = $1`, [id]);
  const changed = await verify();
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.stdout)).toEqual([
    { orgId: id, subject: expect.stringMatching(/^aud_/), fault: 'was changed after seal 1' },
  ]);

  // Without the log, nothing would show that this entry and its seal have existed.
  await own.sql.query('delete from audit_entry where org_id = $1', [id]);
  await own.sql.query('delete from audit_seal where org_id = $1', [id]);
  expect(await verify()).toEqual(intact);
  const removed = await verify('--log', file);
  expect(removed.code).toBe(1);
  expect(JSON.parse(removed.stdout)).toEqual([
    { orgId: id, subject: 'seal 1', fault: 'was removed: the log names it' },
  ]);
  await own.sql.query('delete from organization where id = $1', [id]);
  const compared = () => operator(env, '--json', 'audit', 'verify', '--log', file);
  expect(await compared()).toMatchObject({ code: 1, stdout: expect.stringContaining(id) });
  const erased = { org: null, action: 'organization.erased' as const, target: id, changes: {}, at: new Date() };
  await recordChange(db.em(), author, erased);
  expect((await compared()).stdout).not.toContain(id);
});

test('verify does not accept a log without seals', async () => {
  const file = join(shared().folder, 'no-seals.log');
  writeFileSync(file, '{"msg":"Listening"}\n');
  const { code, stderr } = await operator(env, 'audit', 'verify', '--log', file);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('names no seal') });
});
