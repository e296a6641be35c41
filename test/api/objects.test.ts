/**
 * Walks the access matrix over HTTP: every route with an object, for every scope, domain, environment and owner. The
 * rules below are the contract's, written by hand.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Domain, type Environment, environments, type Scope, scopes } from '../../schemas/access.ts';
import { isList, type Outcome, outcomeOf } from '../../schemas/access-matrix.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { insertArtwork } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { newArtwork } from '../support/artworks.ts';
import { call } from '../support/client.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { encodedStyle } from '../support/styles.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';
import { uploadedFile } from '../support/uploads.ts';

type Kind = 'artwork' | 'file' | 'style' | 'key';

interface Caller extends TestKey {
  scope: Scope;
  environment: Environment;
  org: string;
  domains: Domain[];
}

/** An object and what decides who may use it. Of an API key, `key` is the key itself. */
interface Owned {
  id: string;
  kind: Kind;
  org: string;
  key: string;
  environment: Environment;
  /** The domain that a key needs for the object. */
  domain: Domain;
}

/** The scopes whose keys may use objects of other keys, and the status of success. */
const contract: Record<string, { kind: Kind; scopes: Scope[]; success: number }> = {
  'GET /v2/artworks/:id': { kind: 'artwork', scopes: ['manager', 'admin'], success: 200 },
  'GET /v2/artworks/:id/events': { kind: 'artwork', scopes: ['manager', 'admin'], success: 200 },
  'GET /v2/artworks/:id/timeline': { kind: 'artwork', scopes: ['manager', 'admin'], success: 200 },
  'GET /v2/artworks/:id/deliveries': { kind: 'artwork', scopes: ['manager', 'admin'], success: 200 },
  'POST /v2/artworks/:id/cancel': { kind: 'artwork', scopes: ['admin'], success: 202 },
  // The artwork has not ended, so the key gets as far as the conflict.
  'POST /v2/artworks/:id/redeliver': { kind: 'artwork', scopes: ['admin'], success: 409 },
  'PATCH /v2/artworks/:id': { kind: 'artwork', scopes: ['admin'], success: 200 },
  'DELETE /v2/artworks/:id': { kind: 'artwork', scopes: ['admin'], success: 204 },
  'GET /v2/files/:id': { kind: 'file', scopes: ['manager', 'admin'], success: 200 },
  'DELETE /v2/files/:id': { kind: 'file', scopes: ['admin'], success: 204 },
  'GET /v2/style-dna/:id': { kind: 'style', scopes: ['generator', 'manager', 'admin'], success: 200 },
  'DELETE /v2/style-dna/:id': { kind: 'style', scopes: ['manager', 'admin'], success: 204 },
  'GET /v2/organizations/:orgId/api-keys/:keyId': { kind: 'key', scopes: ['admin'], success: 200 },
  'PATCH /v2/organizations/:orgId/api-keys/:keyId': { kind: 'key', scopes: ['admin'], success: 200 },
  'DELETE /v2/organizations/:orgId/api-keys/:keyId': { kind: 'key', scopes: ['admin'], success: 200 },
};

const endpoints = allEndpoints(await findOperations());
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const withObject = endpoints.filter(({ access, path }) => access !== 'public' && /:(?!orgId)/.test(path));

let service: Service;
let db: Database;
let callers: Caller[];
/** One key that creates objects, for each environment of the organization and of another one. */
let creators: Caller[];

beforeAll(async () => {
  service = await joinService('accepting');
  const other = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
  callers = await Promise.all(
    scopes.flatMap((scope) =>
      environments.flatMap((environment) => [
        newCaller({ scope, environment, domains: ['artworks-internal', 'style-dna', 'textcraft', 'studio'] }),
        newCaller({ scope, environment, domains: ['textcraft', 'studio'] }),
        newCaller({ scope, environment, domains: ['artworks-internal'] }),
        newCaller({ scope, environment, domains: ['style-dna'] }),
      ]),
    ),
  );
  creators = await Promise.all(
    [service.orgId, other.orgId].flatMap((org) => environments.map((environment) => newCaller({ org, environment }))),
  );
});
afterAll(() => db.close());

async function newCaller(fields: Partial<Omit<Caller, keyof TestKey>>): Promise<Caller> {
  const all = { scope: 'generator' as const, environment: 'live' as const, org: service.orgId };
  const caller = { ...all, domains: ['artworks-internal', 'style-dna'] as Domain[], ...fields };
  return { ...caller, ...(await createTestKey(db, { ...caller, orgId: caller.org })) };
}

const make: Record<Kind, (owner: Caller) => Promise<Owned[]>> = {
  artwork: async (owner) =>
    Promise.all(
      (['artworks-internal', 'style-dna'] as const).map(async (domain) => {
        const artwork = newArtwork({ org: owner.org, key: owner.id, price: 0 });
        const operation = domain === 'style-dna' ? 'style-dna/edit' : 'selena';
        await insertArtwork(db, { ...artwork, domain, operation, webhookUrl: 'https://example.com/hook' });
        return owned(owner, 'artwork', artwork.id, domain);
      }),
    ),
  file: async (owner) => [
    owned(owner, 'file', await uploadedFile(db, { org: owner.org, key: owner.id }), 'artworks-internal'),
  ],
  style: async (owner) => [
    owned(owner, 'style', await encodedStyle(db, { org: owner.org, key: owner.id }), 'style-dna'),
  ],
  key: async ({ org, environment }) => {
    const { id } = await createTestKey(db, { orgId: org, environment, domains: ['textcraft'] });
    return [{ id, key: id, kind: 'key', org, environment, domain: 'textcraft' }];
  },
};

const owned = ({ org, id: key, environment }: Caller, kind: Kind, id: string, domain: Domain): Owned => ({
  ...{ id, kind, org, key, environment, domain },
});

/** The contract's outcome. */
function expectedOf(route: string, caller: Caller, object: Owned): Outcome {
  const { kind, scopes: allowed } = contract[route]!;
  const isForeign = caller.org !== object.org;
  const isCrossed = caller.environment !== object.environment;
  const mayUse = caller.id === object.key || allowed.includes(caller.scope);
  if (kind === 'key') {
    if (caller.scope !== 'admin') return 403;
    if (isForeign) return 404;
    if (!route.startsWith('PATCH')) return 'allowed';
    // A key cannot grant what it lacks.
    return (isCrossed && caller.environment === 'test') || !caller.domains.includes(object.domain) ? 403 : 'allowed';
  }
  if (kind === 'style' && !caller.domains.includes('style-dna')) return 403;
  if (kind === 'file' && !caller.domains.some((one) => one !== 'textcraft' && one !== 'studio')) return 403;
  if (kind === 'artwork' && !caller.domains.includes(object.domain)) return 404;
  return isForeign || isCrossed || !mayUse ? 404 : 'allowed';
}

/** What the access matrix of the documentation says. */
function documentedOf(endpoint: Endpoint, caller: Caller, object: Owned): Outcome {
  const isForeign = caller.org !== object.org;
  const isFile = object.kind === 'file' && caller.domains.includes('style-dna');
  return outcomeOf(endpoint, {
    scope: caller.scope,
    environment: caller.environment,
    hasDomain: isFile || caller.domains.includes(object.domain),
    owner: isForeign ? 'another organization' : caller.id === object.key ? 'this key' : 'another key',
    objectEnvironment: object.environment,
  });
}

/** Returns the status without the rest of the body: the stream of an artwork that no worker processes does not end. */
async function statusOf({ method, path, body, bodyExample }: Endpoint, { apiKey }: Caller, id: string) {
  const url = `${service.baseUrl}${path.replace(':orgId', service.orgId).replace(/:\w+/, id)}`;
  const json = { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && json) },
    ...(body && { body: JSON.stringify(bodyExample) }),
  });
  await response.body?.cancel();
  return response.status;
}

test('the contract covers every route with an object', () => {
  expect(withObject.map(nameOf).sort()).toEqual(Object.keys(contract).sort());
});

test.each(withObject.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', async (route, endpoint) => {
  const { kind, success } = contract[route]!;
  for (const caller of callers) {
    // An object is made for each request, because a request may delete it.
    const objects = (await Promise.all([...creators, caller].map((owner) => make[kind](owner)))).flat();
    const check = async (object: Owned) => {
      const expected = expectedOf(route, caller, object);
      const status = await statusOf(endpoint, caller, object.id);
      const what = { caller, object };
      expect({ ...what, status }).toEqual({ ...what, status: expected === 'allowed' ? success : expected });
      expect({ ...what, outcome: documentedOf(endpoint, caller, object) }).toEqual({ ...what, outcome: expected });
    };
    await Promise.all(objects.map(check));
  }
});

/** The ids of all pages of a list. */
async function listed(path: string, { apiKey }: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const page = await call<{ items: { id?: string; keyId?: string }[]; nextCursor: string | null }>(
      `${service.baseUrl}${path}?limit=3${cursor && `&cursor=${cursor}`}`,
      { key: apiKey },
    );
    if (page.status !== 200) return [String(page.status)];
    ids.push(...page.body.items.map(({ id, keyId }) => id ?? keyId ?? ''));
    if (page.body.nextCursor === null) return ids;
    cursor = page.body.nextCursor;
  }
}

test.each([
  ['/v2/artworks', 'artwork', ['manager', 'admin']],
  ['/v2/files', 'file', ['manager', 'admin']],
  ['/v2/style-dna', 'style', ['generator', 'manager', 'admin']],
] as const)('GET %s contains what the key may read, newest first', async (path, kind, allowed) => {
  const endpoint = endpoints.find((one) => nameOf(one) === `GET ${path}`)!;
  expect(isList(endpoint)).toBe(true);
  const strangers = await Promise.all([...creators, ...creators].map((owner) => make[kind](owner)));
  for (const caller of callers) {
    const objects = [...strangers, await make[kind](caller)].flat();
    const isListed = (object: Owned) =>
      object.org === caller.org &&
      object.environment === caller.environment &&
      (kind !== 'artwork' || caller.domains.includes(object.domain)) &&
      (object.key === caller.id || (allowed as readonly Scope[]).includes(caller.scope));
    const needed: Domain[] = kind === 'style' ? ['style-dna'] : ['artworks-internal', 'style-dna'];
    const ids = await listed(path, caller);
    if (kind !== 'artwork' && !caller.domains.some((domain) => needed.includes(domain))) {
      expect(ids).toEqual(['403']);
      continue;
    }
    expect(ids).toEqual(ids.toSorted().toReversed());
    const among = objects.filter(({ id }) => ids.includes(id));
    expect({ caller, among }).toEqual({ caller, among: objects.filter(isListed) });
    for (const object of objects) {
      expect(documentedOf(endpoint, caller, object)).toBe(isListed(object) ? 'allowed' : 'left out');
    }
  }
});

test('GET /v2/organizations/:orgId/api-keys contains the keys of both environments', async () => {
  const admins = callers.filter(({ scope }) => scope === 'admin');
  for (const admin of admins) {
    const ids = await listed(`/v2/organizations/${service.orgId}/api-keys`, admin);
    expect(ids).toEqual(expect.arrayContaining(callers.map(({ id }) => id)));
  }
});

test.each(environments)('a %s key names styles and files of its environment only', async (environment) => {
  const key = callers.find((one) => one.scope === 'generator' && one.environment === environment)!;
  for (const owner of creators.slice(0, 2)) {
    const [style] = await make.style(owner);
    const [file] = await make.file({ ...owner, id: owner.environment === environment ? key.id : owner.id });
    const post = (path: string, body: object) =>
      call(`${service.baseUrl}${path}`, { method: 'POST', key: key.apiKey, body });
    const styled = await post('/v2/style-dna/generate', { prompt: 'a fox', styleDnaId: style!.id });
    const masked = await post('/v2/artworks/depth-map', { image: file!.id });
    if (owner.environment === environment) expect([styled.status, masked.status]).toEqual([202, 202]);
    else {
      expect(rules(expectProblem(styled, 'validation_failed'))).toEqual(['/styleDnaId exists']);
      expect(rules(expectProblem(masked, 'validation_failed'))).toEqual(['/image exists']);
    }
  }
});
