/** Lists of artworks: visibility, filters, pages, and the cost of a page among very many artworks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Domain, domains, type Scope } from '../../schemas/access.ts';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { insertArtwork } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { newArtwork } from '../support/artworks.ts';
import { call, create, ended, read } from '../support/client.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';

let service: Service;
let otherOrg: string;
let db: Database;
let sql: pg.Client;

beforeAll(async () => {
  service = await joinService('quick');
  otherOrg = (await joinService('quick')).orgId;
  db = openTestDatabase(service.databaseUrl);
  sql = new pg.Client(service.databaseUrl);
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await db.close();
});

interface Key extends TestKey {
  org: string;
}

async function makeKey(scope: Scope, own: Domain[] = [...domains], orgId = service.orgId): Promise<Key> {
  return { ...(await createTestKey(db, { orgId, scope, domains: own })), org: orgId };
}

interface Page {
  items: ArtworkView[];
  nextCursor: string | null;
}

const readPage = (key: Key, query = '', api = 0) =>
  call<Page>(`${service.baseUrls[api]}/v2/artworks${query}`, { key: key.apiKey });

async function listed(key: Key, query = ''): Promise<string[]> {
  const { status, body } = await readPage(key, query);
  expect(status).toBe(200);
  return body.items.map(({ id }) => id);
}

/** Time of the last stored artwork. Ids sort by time, so each artwork is a second younger than the one before. */
let at = Date.now() - 3_600_000;

async function stored(key: Key, fields: Partial<Parameters<typeof insertArtwork>[1]> = {}): Promise<string> {
  at += 1000;
  const own = { org: key.org, key: key.id, price: 0 };
  const artwork = { ...newArtwork(own), id: newId('art', at), createdAt: new Date(at), ...fields };
  await insertArtwork(db, { ...artwork, expiresAt: fields.expiresAt ?? new Date(Date.now() + 3_600_000) });
  return artwork.id;
}

test('items equal the artworks as read one by one', async () => {
  const key = await makeKey('generator');
  const client = { ...service, adminKey: key.apiKey };
  expect((await readPage(key)).body).toEqual({ items: [], nextCursor: null });
  const { id } = await create(client, { prompt: 'a kite', width: 256, height: 256, numImages: 2 });
  await ended(client, id);
  const waiting = await stored(key);
  await sql.query(`update artwork set status = 'PROCESSING', started_at = now() where id = $1`, [waiting]);
  const { body } = await readPage(key, '', 1);
  expect(body).toEqual({ items: [await read(client, id), await read(client, waiting)], nextCursor: null });
  expect(body.items.map(({ status, stage, images }) => [status, stage, images.length])).toEqual([
    ['SUCCEEDED', undefined, 2],
    ['PROCESSING', 'generate', 0],
  ]);
});

test('a key finds the artworks that it may read', async () => {
  const [one, two] = [await makeKey('generator'), await makeKey('generator')];
  const manager = await makeKey('manager');
  const dna = await makeKey('admin', ['style-dna']);
  const other = await makeKey('admin', [...domains], otherOrg);
  const own = await stored(one);
  const styled = await stored(one, { domain: 'style-dna', operation: 'style-dna/generate' });
  const foreign = await stored(other);
  // Lists leave these out: a synchronous request, a claimed id, an expired artwork.
  await stored(one, { id: newId('ans') });
  const gone = [await stored(one, { expiresAt: new Date(Date.now() - 1) }), await stored(one)];
  await sql.query(`update artwork set status = 'ABANDONED' where id = $1`, [gone[1]]);

  expect(await listed(one)).toEqual([styled, own]);
  expect(await listed(two)).toEqual([]);
  const all = await listed(manager, '?limit=100');
  expect(all).toEqual(expect.arrayContaining([styled, own]));
  expect(all).toEqual(all.toSorted().toReversed());
  for (const hidden of [foreign, ...gone]) expect(all).not.toContain(hidden);
  expect(await listed(dna)).toEqual([styled]);
  expect(await listed(other)).toEqual([foreign]);
  for (const id of all) {
    expect((await call(`${service.baseUrl}/v2/artworks/${id}`, { key: manager.apiKey })).status).toBe(200);
  }
});

test('filters by status and operation, alone and together', async () => {
  const key = await makeKey('generator');
  const started = await stored(key);
  const failed = await stored(key, { operation: 'quantum' });
  const styled = await stored(key, { operation: 'style-dna/edit/style-aware', domain: 'style-dna' });
  await sql.query(`update artwork set status = 'FAILED', finished_at = now() where id = $1`, [failed]);
  expect(await listed(key, '?status=STARTING')).toEqual([styled, started]);
  expect(await listed(key, '?status=FAILED')).toEqual([failed]);
  expect(await listed(key, '?status=CANCELED')).toEqual([]);
  expect(await listed(key, '?operation=quantum')).toEqual([failed]);
  expect(await listed(key, '?operation=style-dna/edit/style-aware')).toEqual([styled]);
  expect(await listed(key, '?operation=style-dna%2Fedit%2Fstyle-aware')).toEqual([styled]);
  expect(await listed(key, '?operation=quantum&status=STARTING')).toEqual([]);
  expect(await listed(key, '?operation=quantum&status=FAILED&limit=1')).toEqual([failed]);
});

test('pages with filters stay stable while new artworks arrive', async () => {
  const key = await makeKey('generator');
  const ids: string[] = [];
  for (let count = 0; count < 45; count++) ids.unshift(await stored(key));
  expect(await listed(key)).toEqual(ids.slice(0, 20));
  expect(await listed(key, '?limit=100')).toEqual(ids);
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: Page } = await readPage(
      key,
      `?status=STARTING&limit=7${cursor && `&cursor=${cursor}`}`,
      found.length % 2,
    );
    found.push(...body.items.map(({ id }) => id));
    cursor = body.nextCursor;
    await stored(key);
  }
  expect(found).toEqual(ids);
  expect((await readPage(key, `?limit=45&cursor=${newId('art')}`)).body.nextCursor).not.toBeNull();
});

test.each([
  ['?status=DONE', '/status enum'],
  ['?status=succeeded', '/status enum'],
  ['?status=ABANDONED', '/status enum'],
  ['?status=', '/status enum'],
  ['?status=FAILED&status=FAILED', '/status enum'],
  ['?operation=nothing', '/operation enum'],
  ['?operation=artworks/selena', '/operation enum'],
  ['?operation=textcraft', '/operation enum'],
  ['?operation=__proto__', '/operation enum'],
  ['?limit=0', '/limit range'],
  ['?limit=101', '/limit range'],
  ['?cursor=abc', '/cursor cursor'],
  ['?cursor=%00&limit=no&status=a&operation=b', '/cursor cursor', '/limit range', '/operation enum', '/status enum'],
])('returns 400 for %s', async (query, ...expected) => {
  const response = await call(`${service.baseUrl}/v2/artworks${query}`, { key: service.adminKey });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(expected);
});

test('a generator with few artworks among very many reads only its own rows', async () => {
  const [few, many] = [await makeKey('generator'), await makeKey('generator')];
  const own = [await stored(few), await stored(few)];
  // All others are younger, so a query that walks through the ids would read them first.
  await sql.query(
    `insert into artwork (id, org_id, key_id, operation, domain, status, input, metadata, created_at, expires_at)
     select 'art_0ZZZZZZZZZ' || lpad(n::text, 16, '0'), $1, $2, 'selena', 'artworks-internal', 'SUCCEEDED', '{}', '{}', now(), now() + interval '1 hour'
     from generate_series(1, 30000) n`,
    [service.orgId, many.id],
  );
  await sql.query('analyze artwork');
  expect(await listed(few)).toEqual(own.toReversed());
  const plan = await sql.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers) select * from artwork where org_id = $1 and key_id = $2 and domain in ('artworks-internal', 'style-dna')
     and expires_at > now() and status <> 'ABANDONED' and id > 'art_' order by id desc limit 21`,
    [service.orgId, few.id],
  );
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('artwork_key_id_id_index');
  expect(Number(/Rows Removed by Filter: (\d+)/.exec(text)?.[1] ?? 0)).toBeLessThan(10);
});
