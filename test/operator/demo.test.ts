/** The demo organization of a local start, which creates what is missing and changes nothing that exists. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ensureDemo } from '../../operator/demo.ts';
import { listAudit, operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { findKeyBySecret, listKeys, revokeKey, updateKey } from '../../store/keys.ts';
import { findOrganization, rotateWebhookSecret } from '../../store/organizations.ts';
import { signingSecrets } from '../../store/webhook-secrets.ts';
import { openVault } from '../../store/vault.ts';
import { createMigratedDatabase } from '../support/migrated-database.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { shared } from '../support/shared.ts';

type Demo = Awaited<ReturnType<typeof ensureDemo>>;

const secret = 'a secret for tests, at least 32 characters';
const other = 'another secret for tests, at least 32 characters';
const orgId = 'org_demo';

let databaseUrl: string;
let db: Database;
let first: Demo;

beforeAll(async () => {
  databaseUrl = await createMigratedDatabase(shared().databaseUrl, `d${randomUUID().replaceAll('-', '')}`);
  db = openTestDatabase(databaseUrl);
  first = await ensureDemo({ databaseUrl, secret, known: null });
});
afterAll(() => db.close());

/** Returns everything that a start could change. */
const state = () => Promise.all([findOrganization(db, orgId), listKeys(db, orgId), listAudit(db, orgId, 100, null)]);
let before: Awaited<ReturnType<typeof state>>;
beforeEach(async () => {
  before = await state();
});

test('the first start creates both and has no notice', () => {
  expect(first).toEqual({
    orgId,
    adminKey: expect.stringMatching(/^\S+$/),
    webhookSecret: expect.stringMatching(/^whsec_/),
    notices: [],
  });
  expect(before[1]).toMatchObject([{ scope: 'admin', environment: 'live', label: 'demo admin' }]);
});

test('a later start changes nothing that clients and the operator have set', async () => {
  const vault = openVault(secret);
  const key = await findKeyBySecret(db, first.adminKey, new Date());
  const rotation = { id: orgId, gracePeriodSeconds: 60, now: new Date() };
  const { webhookSecret } = await rotateWebhookSecret(db, vault, rotation);
  const changes = { label: 'shop', credits: 7, rateCreations: 2, rateOthers: 1 };
  await updateKey(db, { orgId, id: key!.id }, changes, new Date(), operator);
  const changed = await state();
  expect(await ensureDemo({ databaseUrl, secret, known: first })).toEqual({ ...first, webhookSecret });
  expect(await state()).toEqual(changed);
  expect(await signingSecrets(db, vault, orgId, new Date())).toEqual([webhookSecret, first.webhookSecret]);
});

test('a webhook secret that was encrypted with another secret stays, and a notice says what to do', async () => {
  const { webhookSecret, notices } = await ensureDemo({ databaseUrl, secret: other, known: first });
  expect(webhookSecret).toBeNull();
  expect(notices).toEqual([
    'The webhook secret of org_demo was encrypted with another ATELIER_SECRET, so its deliveries cannot be signed. ' +
      'Stop the service and start it with that ATELIER_SECRET. If it is lost, replace the webhook secret: send ' +
      '{"gracePeriodSeconds": 0} to POST /v2/organizations/org_demo/webhook-secret, and start the service again.',
  ]);
  expect(await state()).toEqual(before);
  const rotating = await ensureDemo({ databaseUrl, secret: other, previousSecret: secret, known: first });
  expect(rotating).toMatchObject({ webhookSecret: expect.stringMatching(/^whsec_/), notices: [] });
});

test('a lost key is followed by another one, and keeps working', async () => {
  const { adminKey, notices } = await ensureDemo({ databaseUrl, secret, known: null });
  const key = await findKeyBySecret(db, adminKey, new Date());
  expect(notices).toEqual([
    'The data folder contains no admin key of org_demo in this database. Keys that exist still work. ' +
      `This start created the admin key ${key?.id}.`,
  ]);
  expect((await listKeys(db, orgId)).slice(1)).toEqual(before[1]);
});

test.each([
  ['revoked', (id: string) => revokeKey(db, id, new Date())],
  ['expired', (id: string) => updateKey(db, { orgId, id }, { expiresAt: new Date(1) }, new Date(), operator)],
])('a key that is %s stays so, and a notice names it and the new key', async (status, end) => {
  const known = await ensureDemo({ databaseUrl, secret, known: null });
  const old = await findKeyBySecret(db, known.adminKey, new Date());
  await end(old!.id);
  const keys = await listKeys(db, orgId);
  const { adminKey, notices } = await ensureDemo({ databaseUrl, secret, known });
  const key = await findKeyBySecret(db, adminKey, new Date());
  expect(notices).toEqual([
    `The demo key ${old?.id} is ${status}; it stays ${status}. This start created the admin key ${key?.id}.`,
  ]);
  expect((await listKeys(db, orgId)).slice(1)).toEqual(keys);
});
