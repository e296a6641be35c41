/** Every change writes one audit entry, in the same transaction or before it, and without any secret. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { expectProblem } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let client: pg.Client;
let adminKeyId: string;

beforeAll(async () => {
  service = await joinService('accepting');
  client = new pg.Client(service.databaseUrl);
  await client.connect();
  adminKeyId = (await keys({})).body.items[0]?.['keyId'] as string;
});
afterAll(async () => {
  await client.end();
});

interface Page {
  items: Record<string, unknown>[];
  nextCursor: string | null;
}

const organization = () => `${service.baseUrl}/v2/organizations/${service.orgId}`;
const keys = (options: { method?: string; path?: string; body?: unknown; headers?: Record<string, string> }) =>
  call<Page & Record<string, unknown>>(`${organization()}/api-keys${options.path ?? ''}`, {
    key: service.adminKey,
    ...options,
  });
const audit = async (query = '') => call<Page>(`${organization()}/audit${query}`, { key: service.adminKey });

test('an entry names the action, the target, the actor, the time and the address', async () => {
  const began = Date.now();
  const fields = { label: 'shop', scope: 'generator', domains: ['studio'], credits: 5 };
  const made = await keys({ method: 'POST', body: fields, headers: { 'x-request-id': 'first' } });
  const keyId = made.body['keyId'] as string;
  const path = `/${keyId}`;
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await keys({
    method: 'PATCH',
    path,
    body: { label: 'shop', credits: 9, expiresAt },
    headers: { 'x-request-id': '2' },
  });
  await keys({ method: 'PATCH', path, body: { label: 'shop', credits: 9 } });
  await keys({ method: 'DELETE', path, headers: { 'x-request-id': '3' } });
  await keys({ method: 'DELETE', path });
  const rotated = await call(`${organization()}/webhook-secret`, {
    ...{ method: 'POST', key: service.adminKey, body: { gracePeriodSeconds: 7 }, headers: { 'x-request-id': '4' } },
  });
  const response = await audit('?limit=4');
  (await readContract(service.baseUrl)).check('GET', '/v2/organizations/{orgId}/audit', response);
  const byAdmin = {
    id: expect.stringMatching(/^aud_[0-9A-Z]{26}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: adminKeyId,
    address: '127.0.0.1',
  };
  const revoked = { ...byAdmin, action: 'api_key.revoked', target: keyId, changes: {}, requestId: '3' };
  const created = { ...fields, environment: 'live', expiresAt: null, allowedAddresses: null };
  expect(response.body.items).toEqual([
    {
      ...byAdmin,
      ...{ action: 'webhook_secret.rotated', target: service.orgId, requestId: '4' },
      changes: { gracePeriodSeconds: 7 },
    },
    revoked,
    {
      ...byAdmin,
      ...{ action: 'api_key.updated', target: keyId, requestId: '2' },
      changes: { credits: { from: 5, to: 9 }, expiresAt: { from: null, to: expiresAt } },
    },
    { ...byAdmin, action: 'api_key.created', target: keyId, changes: created, requestId: 'first' },
  ]);
  for (const { at } of response.body.items) {
    expect(Date.parse(String(at))).toBeGreaterThanOrEqual(began);
    expect(Date.parse(String(at))).toBeLessThanOrEqual(Date.now());
  }
  const { rows } = await client.query<{ row: string }>('select a::text as row from audit_entry a');
  const text = rows.map(({ row }) => row).join('\n');
  for (const secret of [made.body['apiKey'], rotated.body['webhookSecret'], service.adminKey]) {
    expect(text).not.toContain(String(secret).slice(6));
  }
});

test('the trail, read in pages, begins with the actions of the operator', async () => {
  const seen: Record<string, unknown>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: { body: Page } = await audit(`?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(body.items.length).toBeLessThanOrEqual(2);
    seen.push(...body.items);
    cursor = body.nextCursor;
  }
  expect(seen.map(({ id }) => id)).toEqual(
    seen
      .map(({ id }) => String(id))
      .toSorted()
      .reverse(),
  );
  const byOperator = { actor: 'operator', address: null, requestId: null };
  expect(seen.at(-1)).toMatchObject({ ...byOperator, action: 'organization.created', target: service.orgId });
  expect(seen.at(-2)).toMatchObject({ ...byOperator, action: 'api_key.created', target: adminKeyId });
});

/** All columns except the counts, which change all the time. */
const ownColumns = 'select id, label, credits, expires_at, revoked_at, hash from api_key where org_id = $1 order by id';

test('a change whose audit entry cannot be written does not happen', async () => {
  const made = await keys({ method: 'POST', body: { label: 'kept', scope: 'generator', domains: ['studio'] } });
  const path = `/${String(made.body['keyId'])}`;
  const before = await client.query(ownColumns, [service.orgId]);
  const organizationRow = 'select * from organization where id = $1';
  const organizationBefore = await client.query(organizationRow, [service.orgId]);
  await client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse before insert on audit_entry for each row
      when (new.org_id = '${service.orgId}') execute function refuse()`);
  try {
    const responses = [
      await keys({ method: 'POST', body: { label: 'new', scope: 'generator', domains: ['studio'] } }),
      await keys({ method: 'PATCH', path, body: { credits: 7, label: 'other' } }),
      await keys({ method: 'DELETE', path }),
      await call(`${organization()}/webhook-secret`, { method: 'POST', key: service.adminKey }),
    ];
    for (const response of responses) expectProblem(response, 'internal_error');
  } finally {
    await client.query('drop trigger refuse on audit_entry; drop function refuse()');
  }
  expect((await client.query(ownColumns, [service.orgId])).rows).toEqual(before.rows);
  expect((await client.query(organizationRow, [service.orgId])).rows).toEqual(organizationBefore.rows);
});

test('the operator command shows the same entries, with the names of operators', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['operator/main.ts', '--json', 'audit', service.orgId, '--limit', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: service.env });
  const shown = (await audit('?limit=3')).body.items.map((item) => ({ ...item, operatorName: null }));
  expect(JSON.parse(stdout)).toEqual(shown);
});
