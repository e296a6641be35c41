/** The limits of an organization on what it has at a time: artworks, uploads, waiting requests, streams, keys and styles. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { photo } from '../../engines/local/test/photos.ts';
import { Artwork } from '../../store/entities.ts';
import type { Database } from '../../store/database.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { follow } from '../support/follow.ts';
import {
  expectLimited,
  limitedOrganization,
  post,
  readLimit,
  readLimits,
  tally,
  whenCounted,
} from '../support/limited.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { operator } from '../support/operator.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';
import type { TestKey } from '../support/test-key.ts';

let service: Service;
let db: Database;
let url: string;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  url = service.baseUrl;
});
afterAll(() => db.close());

const boat = { prompt: 'a boat', width: 256, height: 256 };
const create = (key: TestKey, options = {}) => post(url, key, 'artworks/selena', boat, options);
const countArtworks = (orgId: string) => db.em().count(Artwork, { org: orgId, status: { $ne: 'ABANDONED' } });

test('rejects a creation when too many artworks are unfinished, until one has ended or the operator raises the limit', async () => {
  const { orgId, newKey, change } = await limitedOrganization(db, service, { unfinishedArtworks: 3 });
  const [key, another, tester] = await Promise.all([newKey(), newKey(), newKey({ environment: 'test' })]);
  const once = { headers: { 'idempotency-key': 'the same' } };
  const first = await create(key, once);
  expect(first.status).toBe(202);
  const { 202: accepted = 0 } = tally(await Promise.all(Array.from({ length: 8 }, () => create(another))));
  expect(accepted).toBeLessThanOrEqual(2);
  for (let left = 2 - accepted; left > 0; left--) expect((await create(key)).status).toBe(202);
  expectLimited(
    await create(key),
    'unfinishedArtworks',
    'Too many unfinished artworks: your organization may have 3 at a time',
  );
  expect(await countArtworks(orgId)).toBe(3);
  // Nothing new is created.
  expect(await create(key, once)).toMatchObject({ status: 202, body: first.body });
  const dryRun = await post(url, key, 'artworks/selena?dryRun=true', boat);
  expect(dryRun.status).toBe(200);
  // The other environment and other organizations have limits of their own.
  expect((await create(tester)).status).toBe(202);
  expect((await create({ id: '', apiKey: service.adminKey })).status).toBe(202);
  const canceled = await post(url, key, `artworks/${String(first.body['id'])}/cancel`, undefined);
  expect(canceled.status).toBe(202);
  expect((await create(key)).status).toBe(202);
  expectLimited(await create(key), 'unfinishedArtworks', 'Wait until some of them have ended.');
  await change({ unfinishedArtworks: 4 });
  await eventually(async () => expect((await create(key)).status).toBe(202));
});

test("does not limit the operator's retry of an artwork", async () => {
  const { newKey, change, orgId } = await limitedOrganization(db, service, {});
  const { body } = await create(await newKey());
  await change({ unfinishedArtworks: 0, creditsPerDay: 0 });
  await db.em().nativeUpdate(Artwork, { id: String(body['id']) }, { status: 'FAILED', finishedAt: new Date() });
  const { code, stderr } = await operator(service.env, 'artworks', 'retry', String(body['id']));
  expect([code, stderr]).toEqual([0, '']);
  expect(await countArtworks(orgId)).toBe(2);
});

function upload({ apiKey }: TestKey, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const own = { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg', ...headers };
  return raw(url, { method: 'POST', path: '/v2/files', headers: own, body: [bytes] });
}

test('limits the bytes of stored uploads until a file is deleted', async () => {
  const bytes = await photo('coffee');
  const storedBytes = bytes.byteLength * 2;
  const { newKey } = await limitedOrganization(db, service, { storedBytes });
  const [key, tester] = [await newKey(), await newKey({ environment: 'test' })];
  const responses = await Promise.all(Array.from({ length: 6 }, () => upload(key, bytes)));
  expect(responses.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);
  for (let stored = await storedBy(key); stored < 2; stored++) expect((await upload(key, bytes)).status).toBe(201);
  expectLimited(await upload(key, bytes), 'storedBytes', 'the uploaded files of your organization may have');
  expectLimited(await upload(key, bytes, { 'transfer-encoding': 'chunked' }), 'storedBytes', 'Delete files');
  expect(await readLimit(url, key, 'storedBytes')).toMatchObject({ used: storedBytes, limit: storedBytes });
  expect((await upload(tester, bytes)).status).toBe(201);
  const { items } = (await call<{ items: { id: string }[] }>(`${url}/v2/files`, { key: key.apiKey })).body;
  await call(`${url}/v2/files/${items[0]?.id}`, { method: 'DELETE', key: key.apiKey });
  expect((await upload(key, bytes)).status).toBe(201);
});

async function storedBy({ apiKey }: TestKey): Promise<number> {
  return (await call<{ items: object[] }>(`${url}/v2/files`, { key: apiKey })).body.items.length;
}

test('limits the waiting requests, and stores nothing for one that is rejected', async () => {
  const { orgId, newKey } = await limitedOrganization(db, service, { waitingRequests: 1 });
  const key = await newKey();
  const leaving = new AbortController();
  const waiting = fetch(`${url}/v2/artworks/selena`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.apiKey}`, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(boat),
    signal: leaving.signal,
  }).catch(() => undefined);
  await eventually(async () => expect(await countArtworks(orgId)).toBe(1));
  expect(await readLimit(url, key, 'waitingRequests')).toMatchObject({ used: 1, limit: 1 });
  const sentence = 'Too many waiting requests: your organization may have 1 at a time';
  expectLimited(await create(key, { headers: { prefer: 'wait=5' } }), 'waitingRequests', sentence);
  const text = { task: 'rewrite', prompt: 'a lighthouse' };
  expectLimited(await post(url, key, 'textcraft', text), 'waitingRequests', sentence);
  expect(await countArtworks(orgId)).toBe(1);
  expect((await create(key)).status).toBe(202);
  leaving.abort();
  await waiting;
  // Without a worker, the request times out.
  await eventually(async () => expect((await post(url, key, 'textcraft', text)).status).toBe(504));
});

test('limits the event streams until one is closed', async () => {
  const { newKey } = await limitedOrganization(db, service, { streams: 1 });
  const key = await newKey();
  const events = `${url}/v2/artworks/${String((await create(key)).body['id'])}/events`;
  const following = await follow(events, key.apiKey);
  const sentence = 'Too many event streams: your organization may have 1 at a time';
  expectLimited(await call(events, { key: key.apiKey }), 'streams', sentence);
  following.leave();
  await following.closed;
  await eventually(async () => {
    const again = await follow(events, key.apiKey);
    expect(again.status).toBe(200);
    again.leave();
  });
});

test('limits the usable keys, also when an expired key is used again', async () => {
  const { orgId, newKey } = await limitedOrganization(db, service, { keys: 3 });
  const admin = await newKey({ scope: 'admin' });
  const expired = await newKey({ expiresAt: new Date(Date.now() - 1) });
  const path = `organizations/${orgId}/api-keys`;
  const body = { label: 'one more', scope: 'generator', domains: ['studio'] };
  const responses = await Promise.all(Array.from({ length: 5 }, () => post(url, admin, path, body)));
  expect(tally(responses)).toEqual({ 201: 2, 429: 3 });
  const sentence = 'Too many API keys: your organization may have 3 that can be used';
  expectLimited(await post(url, admin, path, body), 'keys', sentence);
  const reactivate = () =>
    post(url, admin, `${path}/${expired.id}`, { expiresAt: '2999-01-01T00:00:00Z' }, { method: 'PATCH' });
  expectLimited(await reactivate(), 'keys', sentence);
  expect((await post(url, admin, `${path}/${expired.id}`, { label: 'old' }, { method: 'PATCH' })).status).toBe(200);
  expect((await post(url, admin, path, { ...body, environment: 'test' })).status).toBe(201);
  const created = responses.find(({ status }) => status === 201);
  await call(`${url}/v2/${path}/${String(created?.body['keyId'])}`, { method: 'DELETE', key: admin.apiKey });
  expect((await reactivate()).status).toBe(200);
});

test('limits the encoded styles, including those that are being encoded', async () => {
  const { orgId, newKey } = await limitedOrganization(db, service, { styles: 2 });
  const key = await newKey();
  await encodedStyle(db, { org: orgId, key: key.id });
  const encode = () => post(url, key, 'style-dna/generate-anchor', { name: 'dusk', prompt: 'blue dusk' });
  expect((await encode()).status).toBe(202);
  expectLimited(await encode(), 'styles', 'Too many encoded styles: your organization may have 2');
  expect((await create(key)).status).toBe(202);
  expect(await readLimit(url, key, 'styles')).toMatchObject({ used: 2, limit: 2 });
});

test('shows the limits of the key and of its organization to every key', async () => {
  await whenCounted(service, async () => {
    const { newKey } = await limitedOrganization(db, service, { unfinishedArtworks: 5, streams: null });
    const [key, tester] = [await newKey({ domains: ['studio'] }), await newKey({ environment: 'test' })];
    await create(tester);
    const view = await readLimits(url, tester);
    expect(view).toMatchObject({ environment: 'test', key: [{ name: 'creationsPerMinute', used: 1 }, { used: 1 }] });
    const used = Object.fromEntries(view.organization.map(({ name, used }) => [name, used]));
    expect(used).toMatchObject({ creationsPerMinute: 1, requestsPerMinute: 1, unfinishedArtworks: 1, keys: 1 });
    const { organization } = await readLimits(url, key);
    const limits = Object.fromEntries(organization.map(({ name, limit, used }) => [name, [limit, used]]));
    expect(limits).toMatchObject({
      unfinishedArtworks: [5, 0],
      streams: [null, 0],
      keys: [1000, 1],
      storedBytes: [5 * 1024 ** 3, 0],
      creditsPerDay: [null, 0],
    });
    for (const { resetsAt } of organization.filter(({ name }) => name.includes('Per'))) {
      expect(Date.parse(resetsAt ?? '')).toBeGreaterThan(Date.now());
    }
  });
});
