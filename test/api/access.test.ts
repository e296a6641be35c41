/** Access rights: every endpoint of the registry with every scope, domain and kind of key, so that no new endpoint is left out. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { type Domain, domains, type Scope, scopes } from '../../schemas/access.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { operationPath } from '../../schemas/operation.ts';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { newApiKey } from '../../store/ids.ts';
import { type NewKey, revokeKey, updateKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { whenCounted } from '../support/limited.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { photo } from '../../engines/local/test/photos.ts';
import { expectProblem, type FieldError, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';
import { uploadedFile } from '../support/uploads.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';

/** The contract, independent of what the endpoints declare. The first match counts. */
const contract: [path: RegExp, scope: Scope, domains: Domain[] | null][] = [
  [/^(POST|DELETE|PATCH|GET) \/v2\/organizations\/:orgId\/api-keys/, 'admin', null],
  [/^GET \/v2\/organizations\/:orgId\/audit/, 'admin', null],
  [/^POST \/v2\/organizations\/:orgId\/webhook-secret$/, 'manager', null],
  [/^(POST|GET|DELETE) \/v2\/organizations\/:orgId\/webhook-signing-key$/, 'manager', null],
  [/^(GET|POST) \/v2\/organizations\/:orgId\/webhook-destinations/, 'manager', null],
  [/^GET \/v2\/organizations\/:orgId$/, 'manager', null],
  [/^GET \/v2\/usage\/limits$/, 'generator', null],
  [/^GET \/v2\/usage$/, 'manager', ['studio']],
  [/^\w+ \/v2\/artworks(\/:id.*)?$/, 'generator', null],
  [/^\w+ \/v2\/artworks\/[^:]/, 'generator', ['artworks-internal']],
  [/^\w+ \/v2\/style-dna/, 'generator', ['style-dna']],
  [/^POST \/v2\/textcraft$/, 'generator', ['textcraft']],
  [/^\w+ \/v2\/files/, 'generator', ['artworks-internal', 'style-dna']],
];

/** Requests that test keys must not send, because they change the webhooks of both environments. */
const ofLiveKeys = /^(POST|DELETE) \/v2\/organizations\/:orgId\/webhook-(secret|signing-key)$/;

const operations = await findOperations();
const endpoints = allEndpoints(operations);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const guarded = endpoints.filter(({ access }) => access !== 'public');
const byName = guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const);

const future = new Date(Date.now() + 3_600_000);
let service: Service;
/** Another organization in the same service. */
let other: Service;
let db: Database;
let revoked: TestKey;
let expired: TestKey;

beforeAll(async () => {
  service = await joinService('accepting');
  other = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  [revoked, expired] = [await makeKey(), await makeKey({ expiresAt: new Date(Date.now() - 1) })];
  await revokeKey(db, revoked.id, new Date());
});
afterAll(async () => {
  await db.close();
});

const makeKey = (fields: Partial<NewKey> = {}) =>
  createTestKey(db, { orgId: service.orgId, scope: 'admin', expiresAt: future, ...fields });

const sharedKeys = new Map<string, Promise<TestKey>>();

/** Returns a key that several tests use, for requests that do not change it. */
function commonKey(fields: Partial<NewKey> = {}): Promise<TestKey> {
  const name = JSON.stringify(fields);
  const key = sharedKeys.get(name) ?? makeKey(fields);
  sharedKeys.set(name, key);
  return key;
}

function request(endpoint: Endpoint, key: string | null, { orgId = service.orgId, headers = {} } = {}) {
  const path = endpoint.path.replace(':orgId', orgId).replaceAll(/:\w+/g, 'nothing');
  if (endpoint.takesFile) return upload(`${service.baseUrl}${path}`, key, headers);
  const body = endpoint.body && { body: endpoint.bodyExample };
  return call(`${service.baseUrl}${path}`, { method: endpoint.method, key, headers, ...body });
}

async function upload(url: string, key: string | null, headers: Record<string, string>) {
  const body = new Uint8Array(await photo('chelsea'));
  const own = { ...(key !== null && { authorization: `Bearer ${key}` }), 'content-type': 'image/jpeg' };
  const response = await fetch(url, { method: 'POST', headers: { ...own, ...headers }, body });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Expects that the key is accepted. Examples are valid; ids in paths do not exist, except the organization's. */
function expectAllowed({ status, body }: { status: number; body: unknown }): void {
  // The style that examples name does not exist, and without a worker a synchronous request times out.
  const missing = (body as { errors?: FieldError[] }).errors ?? [];
  if (status === 400) return expect(rules(missing)).toEqual(['/styleDnaId exists']);
  expect([200, 201, 202, 204, 404, 504]).toContain(status);
}

test('only image links are public; every other endpoint requires what the contract says', () => {
  const open = endpoints.filter(({ access }) => access === 'public').map(nameOf);
  expect(open).toEqual(['GET /v2/images/:artworkId/:name']);
  for (const [name, { access }] of byName) {
    const [, scope, domains] = contract.find(([path]) => path.test(name)) ?? [];
    const live = ofLiveKeys.test(name) && { environments: ['live'] };
    expect([name, access]).toEqual([name, { scope, domains, ...live }]);
  }
});

test.each(byName)(
  '%s: serves test keys, except for changes of the webhook secret and the signing key',
  async (name, endpoint) => {
    const { apiKey } = await commonKey({ environment: 'test' });
    const response = await request(endpoint, apiKey);
    if (ofLiveKeys.test(name)) expectProblem(response, 'environment_not_grantable');
    else expectAllowed(response);
  },
);

test.each(byName)('%s: returns 403 to a key below its scope', async (_name, endpoint) => {
  const needed = endpoint.access !== 'public' && endpoint.access.scope;
  for (const [rank, scope] of scopes.entries()) {
    const { apiKey } = await commonKey({ scope });
    const response = await request(endpoint, apiKey);
    if (rank < scopes.findIndex((one) => one === needed)) expectProblem(response, 'insufficient_scope');
    else expectAllowed(response);
  }
});

test.each(byName)('%s: counts towards the limit of its kind, for every key', async (name, endpoint) => {
  const creates = operations.some((operation) => name === `POST ${operationPath(operation)}`);
  const [policy, quota] = creates ? ['creations', 3] : ['others', 2];
  await whenCounted(service, async () => {
    const { apiKey, id } = await makeKey({ scope: 'generator', domains: ['studio'] });
    const own = { rateCreations: 3, rateOthers: 2 };
    await updateKey(db, { orgId: service.orgId, id }, own, new Date(), operator);
    for (let left = quota - 1; left >= 0; left--) {
      const { status, headers } = await request(endpoint, apiKey);
      expect(status).not.toBe(429);
      expect(headers.get('ratelimit-policy')).toBe(`"${policy}";q=${quota};w=60`);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${policy}";r=${left};t=\\d+$`));
    }
    const limited = await request(endpoint, apiKey);
    expectProblem(limited, 'rate_limited');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test.each(byName)('%s: returns 403 to a key without its domain', async (_name, endpoint) => {
  const needed = endpoint.access !== 'public' ? endpoint.access.domains : null;
  for (const domain of domains) {
    const { apiKey } = await commonKey({ domains: [domain] });
    const response = await request(endpoint, apiKey);
    if (needed && !needed.includes(domain)) expectProblem(response, 'insufficient_domain');
    // The only other 403: a key cannot grant a domain that it lacks.
    else if (response.status === 403) expectProblem(response, 'domain_not_grantable');
    else expectAllowed(response);
  }
});

test.each(byName)('%s: returns 401 without a valid key', async (_name, endpoint) => {
  const { apiKey } = await commonKey();
  const headers = [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: apiKey },
    { authorization: `Basic ${apiKey}` },
    { authorization: `Bearer ${apiKey} ${apiKey}` },
    { authorization: `Bearer ${apiKey.slice(0, -1)}` },
    { authorization: `Bearer ${apiKey}a` },
    { authorization: `Bearer ${apiKey.replace('atl_', 'att_')}` },
    { authorization: `Bearer ${newApiKey('live')}` },
    { authorization: `Bearer ${'x'.repeat(8000)}` },
    { 'x-api-key': apiKey },
  ];
  for (const one of headers) {
    const response = await request(endpoint, null, { headers: one });
    expectProblem(response, 'invalid_api_key');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await request(endpoint, null, { headers: { authorization: `bearer  ${apiKey}` } })).status).not.toBe(401);
});

test.each(byName)('%s: returns 401 for a revoked and for an expired key', async (_name, endpoint) => {
  for (const [{ apiKey }, code] of [
    [revoked, 'key_revoked'],
    [expired, 'key_expired'],
  ] as const) {
    const response = await request(endpoint, apiKey);
    expectProblem(response, code);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  }
});

const ofOrganizations = byName.filter(([name]) => name.includes(':orgId'));

test.each(ofOrganizations)(
  "%s: returns 404 for another organization's path, whether it exists or not",
  async (_name, endpoint) => {
    const stranger = await commonKey({ orgId: other.orgId });
    const responses = [
      await request(endpoint, stranger.apiKey),
      await request(endpoint, service.adminKey, { orgId: other.orgId }),
      await request(endpoint, service.adminKey, { orgId: 'org_nowhere' }),
    ];
    for (const response of responses) expectProblem(response, 'not_found');
  },
);

/** Creates an object of another organization and returns its id, by the paths that name it. A new kind of path needs an entry. */
const foreign: [path: RegExp, make: () => Promise<string>][] = [
  [/^\/v2\/artworks\/:id/, foreignArtwork],
  [
    /^\/v2\/files\/:id$/,
    async () => uploadedFile(db, { org: other.orgId, key: (await makeKey({ orgId: other.orgId })).id }),
  ],
  [/^\/v2\/style-dna\/:id$/, async () => styleOf((await makeKey({ orgId: other.orgId })).id, other.orgId)],
  [
    /^\/v2\/organizations\/:orgId\/api-keys\/:keyId/,
    async () => (await makeKey({ orgId: other.orgId, scope: 'generator' })).id,
  ],
];

async function foreignArtwork(): Promise<string> {
  const { apiKey } = await makeKey({ orgId: other.orgId });
  const url = `${service.baseUrl}/v2/artworks/selena`;
  return String((await call(url, { method: 'POST', key: apiKey, body: { prompt: 'a fox' } })).body['id']);
}

const withObjectId = byName.filter(([, { path }]) => /:(?!orgId)\w+/.test(path));

test.each(withObjectId)("%s: returns 404 for another organization's objects", async (_name, endpoint) => {
  const [, make] = foreign.find(([path]) => path.test(endpoint.path)) ?? [];
  expect(make).toBeDefined();
  const id = (await make?.()) ?? '';
  const path = endpoint.path.replace(':orgId', service.orgId).replaceAll(/:\w+/g, id);
  const body = endpoint.body && { body: endpoint.bodyExample };
  const { apiKey } = await commonKey();
  const response = await call(`${service.baseUrl}${path}`, { method: endpoint.method, key: apiKey, ...body });
  expectProblem(response, 'not_found');
});

test.each(byName)('%s: shows nothing of another organization', async (_name, endpoint) => {
  const stranger = await commonKey({ orgId: other.orgId });
  const { apiKey } = await commonKey();
  const response = await request(endpoint, apiKey);
  expect(JSON.stringify(response.body)).not.toMatch(new RegExp(`${other.orgId}|${stranger.id}`));
});

const ofArtworks = guarded.filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/artworks/:id'));

/** Creates an encoded style of this key and returns its id. */
const styleOf = (key: string, org = service.orgId) => encodedStyle(db, { org, key });

const makers = operations.filter(({ synchronous }) => !synchronous);

test.each(makers.map((operation) => [operation.name, operation] as const))(
  '%s: only its own key, and managers and admins of its organization with its domain, read an artwork',
  async (_name, operation) => {
    const maker = await makeKey({ scope: 'generator' });
    const url = `${service.baseUrl}${operationPath(operation)}`;
    const styled = 'styleDnaId' in operation.example && { styleDnaId: await styleOf(maker.id) };
    const { body } = await call(url, { method: 'POST', key: maker.apiKey, body: { ...operation.example, ...styled } });
    const { domain } = operation;
    const others = domains.filter((other) => other !== domain);
    const readers = [
      [maker, 200],
      [await commonKey({ scope: 'manager', domains: [domain] }), 200],
      [await commonKey({ scope: 'admin', domains: [domain] }), 200],
      [await commonKey({ scope: 'generator' }), 404],
      [await commonKey({ scope: 'manager', domains: others }), 404],
      [await commonKey({ scope: 'admin', domains: others }), 404],
      [await commonKey({ scope: 'admin', orgId: other.orgId }), 404],
    ] as const;
    for (const { path } of ofArtworks) {
      for (const [index, [{ apiKey }, status]] of readers.entries()) {
        const at = `${service.baseUrl}${path.replace(':id', String(body['id'])).replaceAll(/:\w+/g, 'nothing')}`;
        expect([path, index, await statusOf(at, apiKey)]).toEqual([path, index, status]);
      }
    }
  },
);

/** Returns the status without reading the body: the event stream of an artwork that no worker processes does not end. */
async function statusOf(url: string, key: string): Promise<number> {
  const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await body?.cancel();
  return status;
}

test('returns 404 for an unknown artwork and for a malformed id', async () => {
  for (const { path } of ofArtworks) {
    for (const id of ['art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', '%00', 'a%00b', '%F0%9F%A6%8A', "'--", 'x'.repeat(5000)]) {
      const url = `${service.baseUrl}${path.replace(':id', id).replaceAll(/:\w+/g, 'nothing')}`;
      expectProblem(await call(url, { key: service.adminKey }), 'not_found');
    }
  }
});
