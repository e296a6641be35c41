/** Cancellations, deletions, updates and redeliveries write one audit entry each, and do not happen without it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Database } from '../../store/database.ts';
import { call, create } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';
import { uploadedFile } from '../support/uploads.ts';

let service: Service;
let db: Database;
let sql: pg.Client;
let key: TestKey;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  sql = new pg.Client(service.databaseUrl);
  await sql.connect();
  key = await createTestKey(db, { orgId: service.orgId });
});
afterAll(() => Promise.all([db.close(), sql.end()]));

const url = 'https://hooks.example.com/one';
const makeArtwork = async () => {
  const { baseUrl } = service;
  return (await create({ baseUrl, adminKey: key.apiKey }, { prompt: 'a boat', webhookUrl: url })).id;
};
/** Ends an artwork as a worker does, so that its event can be redelivered. */
const makeEnded = async () => {
  const id = await makeArtwork();
  await sql.query(`update artwork set status = 'SUCCEEDED', finished_at = now() where id = $1`, [id]);
  return id;
};
const owner = () => ({ org: service.orgId, key: key.id });
const send = (method: string, path: string, body?: object) =>
  call(`${service.baseUrl}/v2/${path}`, {
    ...{ method, key: key.apiKey, headers: { 'x-request-id': `audit-${method}` } },
    ...(body && { body }),
  });

interface Case {
  make: () => Promise<string>;
  change: (id: string) => ReturnType<typeof send>;
  status: number;
  action: string;
  changes?: object;
  /** A row that remains when the change does not happen. */
  row: string;
}

const newUrl = 'https://hooks.example.com/two';
const artworkRow = 'select status, webhook_url, redeliveries, finished_at from artwork where id = $1';
const cases: [string, Case][] = [
  [
    'a cancellation',
    {
      make: makeArtwork,
      change: (id) => send('POST', `artworks/${id}/cancel`),
      ...{ status: 202, action: 'artwork.canceled', row: artworkRow },
    },
  ],
  [
    'the deletion of an artwork',
    {
      make: makeArtwork,
      change: (id) => send('DELETE', `artworks/${id}`),
      ...{ status: 204, action: 'artwork.deleted', row: artworkRow },
    },
  ],
  [
    'the update of an artwork',
    {
      make: makeArtwork,
      change: (id) => send('PATCH', `artworks/${id}`, { webhookUrl: newUrl }),
      ...{ status: 200, action: 'artwork.updated', row: artworkRow, changes: { fields: ['webhookUrl'] } },
    },
  ],
  [
    'a redelivery',
    {
      make: makeEnded,
      change: (id) => send('POST', `artworks/${id}/redeliver`),
      ...{ status: 202, action: 'artwork.redelivered', row: artworkRow },
    },
  ],
  [
    'the deletion of a file',
    {
      make: () => uploadedFile(db, owner()),
      change: (id) => send('DELETE', `files/${id}`),
      ...{ status: 204, action: 'file.deleted', row: 'select * from uploaded_file where id = $1' },
    },
  ],
  [
    'the deletion of a style',
    {
      make: () => encodedStyle(db, owner()),
      change: (id) => send('DELETE', `style-dna/${id}`),
      ...{ status: 204, action: 'style.deleted', row: 'select * from style where id = $1' },
    },
  ],
];

test.each(cases)('%s is recorded with its author, and without what the client wrote', async (_what, one) => {
  const id = await one.make();
  const response = await one.change(id);
  expect(response.status).toBe(one.status);
  const audit = await call<{ items: Record<string, unknown>[] }>(
    `${service.baseUrl}/v2/organizations/${service.orgId}/audit`,
    { key: service.adminKey },
  );
  (await readContract(service.baseUrl)).check('GET', '/v2/organizations/{orgId}/audit', audit);
  const entries = audit.body.items.filter(({ target }) => target === id);
  const author = { actor: key.id, address: '127.0.0.1', requestId: expect.stringMatching(/^audit-/) };
  const entry = { ...author, action: one.action, target: id, changes: one.changes ?? {} };
  expect(entries).toEqual([{ ...entry, id: expect.any(String), at: expect.any(String) }]);
  expect(JSON.stringify(entries)).not.toContain('hooks.example.com');
});

test.each(cases)('%s does not happen when it cannot be recorded', async (_what, one) => {
  const id = await one.make();
  const before = (await sql.query(one.row, [id])).rows;
  expect(before).toHaveLength(1);
  await sql.query(`create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse_entry before insert on audit_entry for each row
      when (new.org_id = '${service.orgId}') execute function refuse_entry()`);
  try {
    expectProblem(await one.change(id), 'internal_error');
  } finally {
    await sql.query('drop trigger refuse_entry on audit_entry; drop function refuse_entry()');
  }
  expect((await sql.query(one.row, [id])).rows).toEqual(before);
});

test('a request that is rejected is not recorded', async () => {
  const id = await makeEnded();
  expectProblem(await send('POST', `artworks/${id}/cancel`), 'not_cancelable');
  await sql.query('update artwork set redeliveries = 100 where id = $1', [id]);
  expectProblem(await send('POST', `artworks/${id}/redeliver`), 'conflict');
  const { rowCount } = await sql.query('select from audit_entry where target = $1', [id]);
  expect(rowCount).toBe(0);
});
