/** The line that the API logs for each request: who sent it, from where, to which route, and how it was decided. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { newApiKey } from '../../store/ids.ts';
import { revokeKey } from '../../store/keys.ts';
import { announceBody } from '../support/announced-body.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';

let service: Service;
let db: Database;
let keys: Record<'generator' | 'style' | 'test' | 'revoked' | 'expired' | 'elsewhere', TestKey>;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  const make = (fields: Partial<Parameters<typeof createTestKey>[1]> = {}) =>
    createTestKey(db, { orgId: service.orgId, ...fields });
  keys = {
    generator: await make(),
    style: await make({ domains: ['style-dna'] }),
    test: await make({ scope: 'admin', environment: 'test' }),
    revoked: await make(),
    expired: await make({ expiresAt: new Date(Date.now() - 1) }),
    elsewhere: await make({ allowedAddresses: ['203.0.113.0/24'] }),
  };
  await revokeKey(db, keys.revoked.id, new Date());
});
afterAll(() => db.close());

/** Returns the log line of a request. */
const lineOf = (requestId: string) =>
  eventually(() => {
    const logs = readdirSync(service.dataFolder).filter((name) => name.startsWith('api-') && name.endsWith('.log'));
    const text = logs.map((name) => readFileSync(join(service.dataFolder, name), 'utf8')).join('');
    const found = text.split('\n').filter((line) => line.includes(`"requestId":"${requestId}"`));
    expect(found).toHaveLength(1);
    // Each name occurs once, because consumers disagree about which of two counts.
    const names = [...found[0]!.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
    return JSON.parse(found[0]!) as Record<string, unknown>;
  });

interface Sent {
  path: string;
  method?: string;
  key?: string;
  body?: unknown;
}

const named = ({ id }: TestKey, environment = 'live') => ({ keyId: id, orgId: service.orgId, environment });
const prompt = { prompt: 'a boat', width: 256, height: 256 };

test.each<[string, () => [Sent, object]]>([
  [
    'an allowed creation',
    () => [
      { path: '/v2/artworks/selena', method: 'POST', key: keys.generator.apiKey, body: prompt },
      { ...named(keys.generator), route: '/v2/artworks/selena', decision: 'allowed' },
    ],
  ],
  [
    'a public request',
    () => [{ path: '/openapi.json' }, { route: '/openapi.json', decision: 'allowed', keyId: undefined }],
  ],
  [
    'a request without a key',
    () => [{ path: '/v2/artworks' }, { route: '/v2/artworks', decision: 'invalid_api_key', keyId: undefined }],
  ],
  [
    'a request with an unknown key',
    () => [
      { path: '/v2/artworks', key: newApiKey('live') },
      { decision: 'invalid_api_key', keyId: undefined },
    ],
  ],
  [
    'a revoked key',
    () => [
      { path: '/v2/artworks', key: keys.revoked.apiKey },
      { ...named(keys.revoked), decision: 'key_revoked' },
    ],
  ],
  [
    'an expired key',
    () => [
      { path: '/v2/artworks', key: keys.expired.apiKey },
      { ...named(keys.expired), decision: 'key_expired' },
    ],
  ],
  [
    'a key that is used from another address',
    () => [
      { path: '/v2/artworks', key: keys.elsewhere.apiKey },
      { ...named(keys.elsewhere), decision: 'invalid_api_key' },
    ],
  ],
  [
    'a key without the scope',
    () => [
      { path: `/v2/organizations/${service.orgId}/audit`, key: keys.generator.apiKey },
      { ...named(keys.generator), route: '/v2/organizations/:orgId/audit', decision: 'insufficient_scope' },
    ],
  ],
  [
    'a key without the domain',
    () => [
      { path: '/v2/artworks/selena', method: 'POST', key: keys.style.apiKey, body: prompt },
      { ...named(keys.style), decision: 'insufficient_domain' },
    ],
  ],
  [
    'an invalid body',
    () => [
      { path: '/v2/artworks/selena', method: 'POST', key: keys.generator.apiKey, body: {} },
      { ...named(keys.generator), decision: 'validation_failed' },
    ],
  ],
  [
    'an artwork of somebody else',
    () => [
      { path: '/v2/artworks/art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', key: keys.test.apiKey },
      { ...named(keys.test, 'test'), route: '/v2/artworks/:id', decision: 'not_found' },
    ],
  ],
  ['a path that does not exist', () => [{ path: '/x/y?z=1' }, { route: 'none', decision: 'not_found' }]],
  ['version 1', () => [{ path: '/v1/images' }, { route: '/v1', decision: 'retired' }]],
])('names the key, address, route and decision of %s', async (what, sent) => {
  const [{ path, ...options }, expected] = sent();
  const requestId = `log-${what.replaceAll(' ', '-')}-${service.orgId}`;
  const headers = { 'x-request-id': requestId };
  const { status } = await call(`${service.baseUrl}${path}`, { ...options, headers });
  const address = '127.0.0.1';
  const line = { keyId: undefined, ...(await lineOf(requestId)) };
  expect(line).toMatchObject({ ...expected, address, res: { statusCode: status } });
});

test('a request whose client disconnects before the response is aborted', async () => {
  const requestId = `log-aborted-${service.orgId}`;
  const { socket } = await announceBody(service.baseUrl, [
    'POST /v2/artworks/depth-map HTTP/1.1',
    `Authorization: Bearer ${keys.generator.apiKey}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]);
  socket.destroy();
  expect(await lineOf(requestId)).toMatchObject({ ...named(keys.generator), decision: 'aborted' });
});

test('a key in a path is cut', async () => {
  const requestId = `log-path-${service.orgId}`;
  const { apiKey } = keys.generator;
  await call(`${service.baseUrl}/v2/artworks/${apiKey}`, { headers: { 'x-request-id': requestId } });
  expect(await lineOf(requestId)).toMatchObject({ req: { path: `/v2/artworks/${apiKey.slice(0, 10)}…` } });
});

test('names the decision and the address of a request that is no HTTP', async () => {
  const { body } = await raw(service.baseUrl, { path: '/v2/artworks', headers: { 'x-large': 'x'.repeat(20_000) } });
  const { requestId } = body as { requestId: string };
  expect(await lineOf(requestId)).toMatchObject({ status: 431, address: '127.0.0.1', decision: 'validation_failed' });
});
