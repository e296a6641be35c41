/** Who may call what: matrices of every endpoint of the registry, so that a new one cannot be forgotten. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { type Domain, domains, type Scope, scopes } from '../../schemas/access.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { operationPath } from '../../schemas/operation.ts';
import { operator } from '../../store/audit.ts';
import { openDatabase, type Database } from '../../store/database.ts';
import { newApiKey } from '../../store/ids.ts';
import { createKey, type NewKey, revokeKey, updateKey } from '../../store/keys.ts';
import { createOrganization } from '../../store/organizations.ts';
import { openVault } from '../../store/vault.ts';
import { call } from '../support/client.ts';
import { photo } from '../support/photos.ts';
import { expectProblem, type FieldError, rules } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';

/** What the contract says, apart from what the endpoints say of themselves. The first that fits counts. */
const contract: [path: RegExp, scope: Scope, domains: Domain[] | null][] = [
  [/^(POST|DELETE|PATCH|GET) \/v2\/organizations\/:orgId\/api-keys/, 'admin', null],
  [/^GET \/v2\/organizations\/:orgId\/audit/, 'admin', null],
  [/^POST \/v2\/organizations\/:orgId\/webhook-secret$/, 'manager', null],
  [/^GET \/v2\/organizations\/:orgId$/, 'manager', null],
  [/^GET \/v2\/usage$/, 'manager', ['studio']],
  [/^\w+ \/v2\/artworks(\/:id.*)?$/, 'generator', null],
  [/^\w+ \/v2\/artworks\/[^:]/, 'generator', ['artworks-internal']],
  [/^\w+ \/v2\/style-dna/, 'generator', ['style-dna']],
  [/^POST \/v2\/textcraft$/, 'generator', ['textcraft']],
  [/^\w+ \/v2\/files/, 'generator', ['artworks-internal', 'style-dna']],
];

const operations = await findOperations();
const endpoints = allEndpoints(operations);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const guarded = endpoints.filter(({ access }) => access !== 'public');
const byName = guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const);

const future = new Date(Date.now() + 3_600_000);
let stack: Stack;
let db: Database;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0, env: { ATELIER_ANSWER_TIMEOUT: '50ms' } });
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
  await createOrganization(db, openVault(stack.secret), { id: 'org_other', name: 'Other', now: new Date() });
});
afterAll(async () => {
  await db.close();
  await stack.stop();
});

async function makeKey(fields: Partial<NewKey> = {}): Promise<{ id: string; apiKey: string }> {
  const key: NewKey = {
    orgId: stack.orgId,
    label: 'test',
    scope: 'admin',
    domains: [...domains],
    environment: 'live',
    credits: 0,
    expiresAt: future,
    ...fields,
  };
  const { row, apiKey } = await createKey(db, key, new Date());
  return { id: row.id, apiKey };
}

function request(endpoint: Endpoint, key: string | null, { orgId = stack.orgId, headers = {} } = {}) {
  const path = endpoint.path.replace(':orgId', orgId).replaceAll(/:\w+/g, 'nothing');
  if (endpoint.takesFile) return upload(`${stack.baseUrl}${path}`, key, headers);
  const body = endpoint.body && { body: endpoint.bodyExample };
  return call(`${stack.baseUrl}${path}`, { method: endpoint.method, key, headers, ...body });
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

/** The examples are valid; of the ids in paths only the organization's is there. */
function expectNoRefusal({ status, body }: { status: number; body: unknown }): void {
  // The style that examples name is not there, and without a worker a question is not answered in time.
  const missing = (body as { errors?: FieldError[] }).errors ?? [];
  if (status === 400) return expect(rules(missing)).toEqual(['/styleDnaId exists']);
  expect([200, 201, 202, 204, 404, 504]).toContain(status);
}

test('only image links are public, and every other endpoint asks for what the contract says', () => {
  const open = endpoints.filter(({ access }) => access === 'public').map(nameOf);
  expect(open).toEqual(['GET /v2/images/:artworkId/:name']);
  for (const [name, { access }] of byName) {
    const [, scope, domains] = contract.find(([path]) => path.test(name)) ?? [];
    expect([name, access]).toEqual([name, { scope, domains }]);
  }
});

test.each(byName)('%s: scopes', async (_name, endpoint) => {
  const needed = endpoint.access !== 'public' && endpoint.access.scope;
  for (const [rank, scope] of scopes.entries()) {
    const { apiKey } = await makeKey({ scope });
    const answer = await request(endpoint, apiKey);
    if (rank < scopes.findIndex((one) => one === needed)) expectProblem(answer, 'insufficient_scope');
    else expectNoRefusal(answer);
  }
});

test.each(byName)('%s: counts for the limit of its kind, whoever calls it', async (name, endpoint) => {
  const creates = operations.some((operation) => name === `POST ${operationPath(operation)}`);
  const [policy, quota] = creates ? ['creations', 3] : ['others', 2];
  const { apiKey, id } = await makeKey({ scope: 'generator', domains: ['studio'] });
  const own = { rateCreations: 3, rateOthers: 2 };
  await updateKey(db, { orgId: stack.orgId, id }, own, new Date(), operator);
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

test.each(byName)('%s: domains', async (_name, endpoint) => {
  const needed = endpoint.access !== 'public' ? endpoint.access.domains : null;
  for (const domain of domains) {
    const { apiKey } = await makeKey({ domains: [domain] });
    const answer = await request(endpoint, apiKey);
    if (needed && !needed.includes(domain)) expectProblem(answer, 'insufficient_domain');
    // A key cannot give domains that it has not: the only 403 left.
    else if (answer.status === 403) expectProblem(answer, 'domain_not_grantable');
    else expectNoRefusal(answer);
  }
});

test.each(byName)('%s: no key, or none that is valid', async (_name, endpoint) => {
  const { apiKey } = await makeKey();
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
    const answer = await request(endpoint, null, { headers: one });
    expectProblem(answer, 'invalid_api_key');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await request(endpoint, null, { headers: { authorization: `bearer  ${apiKey}` } })).status).not.toBe(401);
});

test.each(byName)('%s: a revoked key and an expired one', async (_name, endpoint) => {
  const revoked = await makeKey();
  await revokeKey(db, revoked.id, new Date());
  const expired = await makeKey({ expiresAt: new Date(Date.now() - 1) });
  for (const [{ apiKey }, code] of [
    [revoked, 'key_revoked'],
    [expired, 'key_expired'],
  ] as const) {
    const answer = await request(endpoint, apiKey);
    expectProblem(answer, code);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
});

const ofOrganizations = byName.filter(([name]) => name.includes(':orgId'));

test.each(ofOrganizations)("%s: another organization's path is 404, there or not", async (_name, endpoint) => {
  const other = await makeKey({ orgId: 'org_other' });
  const answers = [
    await request(endpoint, other.apiKey),
    await request(endpoint, stack.adminKey, { orgId: 'org_other' }),
    await request(endpoint, stack.adminKey, { orgId: 'org_nowhere' }),
  ];
  for (const answer of answers) expectProblem(answer, 'not_found');
});

/** Something of another organization, by the path that names it. A new kind of path without one fails here. */
const foreign: [path: RegExp, make: () => Promise<string>][] = [
  [/^\/v2\/artworks\/:id/, foreignArtwork],
  [/^\/v2\/style-dna\/:id$/, async () => styleOf((await makeKey({ orgId: 'org_other' })).id, 'org_other')],
  [
    /^\/v2\/organizations\/:orgId\/api-keys\/:keyId$/,
    async () => (await makeKey({ orgId: 'org_other', scope: 'generator' })).id,
  ],
];

async function foreignArtwork(): Promise<string> {
  const { apiKey } = await makeKey({ orgId: 'org_other' });
  const url = `${stack.baseUrl}/v2/artworks/selena`;
  return String((await call(url, { method: 'POST', key: apiKey, body: { prompt: 'a fox' } })).body['id']);
}

const naming = byName.filter(([, { path }]) => /:(?!orgId)\w+/.test(path));

test.each(naming)("%s: what is another organization's is not there", async (_name, endpoint) => {
  const [, make] = foreign.find(([path]) => path.test(endpoint.path)) ?? [];
  expect(make).toBeDefined();
  const id = (await make?.()) ?? '';
  const path = endpoint.path.replace(':orgId', stack.orgId).replaceAll(/:\w+/g, id);
  const body = endpoint.body && { body: endpoint.bodyExample };
  const { apiKey } = await makeKey();
  const answer = await call(`${stack.baseUrl}${path}`, { method: endpoint.method, key: apiKey, ...body });
  expectProblem(answer, 'not_found');
});

test.each(byName)('%s: says nothing of another organization', async (_name, endpoint) => {
  const other = await makeKey({ orgId: 'org_other' });
  const { apiKey } = await makeKey();
  const answer = await request(endpoint, apiKey);
  expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`org_other|${other.id}`));
});

const onArtworks = guarded.filter(({ path }) => path.startsWith('/v2/artworks/:id'));
const ofArtworks = onArtworks.filter(({ method }) => method === 'GET');

/** An encoded style of this key, for requests that name one. */
const styleOf = (key: string, org = stack.orgId) => encodedStyle(db, { org, key });

const makers = operations.filter(({ answer }) => !answer);

test.each(makers.map((operation) => [operation.name, operation] as const))(
  '%s: its artworks are read with its domain, in its organization, by their key or a manager',
  async (_name, operation) => {
    const maker = await makeKey({ scope: 'generator' });
    const url = `${stack.baseUrl}${operationPath(operation)}`;
    const styled = 'styleDnaId' in operation.example && { styleDnaId: await styleOf(maker.id) };
    const { body } = await call(url, { method: 'POST', key: maker.apiKey, body: { ...operation.example, ...styled } });
    const { domain } = operation;
    const others = domains.filter((other) => other !== domain);
    const readers = [
      [maker, 200],
      [await makeKey({ scope: 'manager', domains: [domain] }), 200],
      [await makeKey({ scope: 'admin', domains: [domain] }), 200],
      [await makeKey({ scope: 'generator' }), 404],
      [await makeKey({ scope: 'manager', domains: others }), 404],
      [await makeKey({ scope: 'admin', domains: others }), 404],
      [await makeKey({ scope: 'admin', orgId: 'org_other' }), 404],
    ] as const;
    for (const { path } of ofArtworks) {
      for (const [index, [{ apiKey }, status]] of readers.entries()) {
        const at = `${stack.baseUrl}${path.replace(':id', String(body['id'])).replaceAll(/:\w+/g, 'nothing')}`;
        expect([path, index, await statusOf(at, apiKey)]).toEqual([path, index, status]);
      }
    }
  },
);

test.each(onArtworks.filter(({ method }) => method !== 'GET').map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s: only who may read an artwork may change it',
  async (_name, { method, path, body, bodyExample }) => {
    const maker = await makeKey({ scope: 'generator' });
    const created = await call(`${stack.baseUrl}/v2/artworks/selena`, {
      ...{ method: 'POST', key: maker.apiKey },
      body: { prompt: 'a fox', webhookUrl: 'https://example.com/hook' },
    });
    const url = `${stack.baseUrl}${path.replace(':id', String(created.body['id']))}`;
    const change = (key: string) => call(url, { method, key, ...(body && { body: bodyExample }) });
    for (const stranger of [
      await makeKey({ scope: 'generator' }),
      await makeKey({ scope: 'admin', domains: ['style-dna', 'textcraft', 'studio'] }),
      await makeKey({ scope: 'admin', orgId: 'org_other' }),
    ]) {
      expectProblem(await change(stranger.apiKey), 'not_found');
    }
    // It has no event yet, which a redelivery could send.
    const { status } = await change((await makeKey({ scope: 'manager' })).apiKey);
    expect(path.endsWith('redeliver') ? [409] : [200, 202, 204]).toContain(status);
  },
);

/** Without the body, which is a stream where an artwork is followed that nobody makes. */
async function statusOf(url: string, key: string): Promise<number> {
  const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await body?.cancel();
  return status;
}

test('an artwork that is not there, or whose id cannot be, is 404', async () => {
  for (const { path } of ofArtworks) {
    for (const id of ['art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', '%00', 'a%00b', '%F0%9F%A6%8A', "'--", 'x'.repeat(5000)]) {
      const url = `${stack.baseUrl}${path.replace(':id', id).replaceAll(/:\w+/g, 'nothing')}`;
      expectProblem(await call(url, { key: stack.adminKey }), 'not_found');
    }
  }
});
