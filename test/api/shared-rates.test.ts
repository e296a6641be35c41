/** The limits of an organization per minute: all its keys share them, on all processes, in each environment. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { photo } from '../../engines/local/test/photos.ts';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { updateKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { expectLimited, limitedOrganization, post, tally, whenCounted } from '../support/limited.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import type { TestKey } from '../support/test-key.ts';

let service: Service;
let db: Database;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
});
afterAll(() => db.close());

const at = (index: number) => service.baseUrls[index % 2] ?? '';
const read = (key: TestKey, index = 0) => call(`${at(index)}/v2/artworks/selena/styles`, { key: key.apiKey });
const create = (key: TestKey, index = 0) => post(at(index), key, 'artworks/selena', { prompt: 'a fox' });

test('counts the requests of all keys together, on both processes', async () => {
  const { newKey, keys } = await whenCounted(service, async () => {
    const { newKey } = await limitedOrganization(db, service, { requestsPerMinute: 20 });
    const keys = [await newKey(), await newKey(), await newKey()] as const;
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => read(keys[index % 3] ?? keys[0], index)),
    );
    expect(tally(responses)).toEqual({ 200: 20, 429: 40 });
    return { newKey, keys };
  });
  const limited = await read(keys[0]);
  expectLimited(limited, 'requestsPerMinute', 'Too many requests: your organization may send 20 per minute');
  const seconds = limited.headers.get('retry-after');
  expect(limited.headers.get('ratelimit-policy')).toBe('"requestsPerMinute";q=20;w=60');
  expect(limited.headers.get('ratelimit')).toBe(`"requestsPerMinute";r=0;t=${seconds}`);
  // Creations, test keys and other organizations have limits of their own.
  expect((await create(keys[0])).status).toBe(202);
  expect((await read(await newKey({ environment: 'test' }))).status).toBe(200);
  expect((await read({ id: '', apiKey: service.adminKey })).status).toBe(200);
});

test('counts creations apart from other requests', async () => {
  await whenCounted(service, async () => {
    const { newKey } = await limitedOrganization(db, service, { creationsPerMinute: 2 });
    const [one, two] = [await newKey(), await newKey()];
    expect([(await create(one)).status, (await create(two, 1)).status]).toEqual([202, 202]);
    expectLimited(
      await create(one),
      'creationsPerMinute',
      'Too many creations: your organization may send 2 per minute',
    );
    expect((await read(one)).headers.get('ratelimit-policy')).toMatch(/^"others"/);
  });
});

test('a key over its own limit does not use up that of its organization', async () => {
  await whenCounted(service, async () => {
    const { orgId, newKey } = await limitedOrganization(db, service, { requestsPerMinute: 5 });
    const [flooding, calm] = [await newKey(), await newKey()];
    await updateKey(db, { orgId, id: flooding.id }, { rateOthers: 1 }, new Date(), operator);
    expect((await read(flooding)).status).toBe(200);
    for (let sent = 0; sent < 8; sent++) {
      const limited = await read(flooding);
      expectProblem(limited, 'rate_limited');
      expect(limited.headers.get('ratelimit-policy')).toBe('"others";q=1;w=60');
    }
    expect((await read(calm)).status).toBe(200);
  });
});

test('limits the uploaded bytes, announced or not, before they are stored', async () => {
  await whenCounted(service, async () => {
    const bytes = await photo('coffee');
    const kilobytes = Math.ceil(bytes.byteLength / 1024);
    const { newKey } = await limitedOrganization(db, service, { uploadBytesPerMinute: kilobytes * 1024 * 2 });
    const [key, another] = [await newKey(), await newKey()];
    const upload = ({ apiKey }: TestKey, headers = {}, index = 0) =>
      raw(at(index), {
        ...{ method: 'POST', path: '/v2/files', body: [bytes] },
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg', ...headers },
      });
    expect([(await upload(key)).status, (await upload(another, {}, 1)).status]).toEqual([201, 201]);
    const sentence = 'Too many uploaded bytes: your organization may send';
    expectLimited(await upload(key), 'uploadBytesPerMinute', sentence);
    expectLimited(await upload(another, { 'transfer-encoding': 'chunked' }), 'uploadBytesPerMinute', sentence);
    const { items } = (await call<{ items: object[] }>(`${at(0)}/v2/files`, { key: key.apiKey })).body;
    expect(items).toHaveLength(1);
  });
});
