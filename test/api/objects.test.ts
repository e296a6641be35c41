/**
 * Walks the access matrix over HTTP: every route with an object in its path, for every scope, domain, environment and
 * owner. The rules below are the contract's, written by hand.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '../../schemas/access.ts';
import type { Outcome } from '../../schemas/access-matrix.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import type { Database } from '../../store/database.ts';
import {
  type Caller,
  documentedOf,
  joinWithCallers,
  make,
  type ObjectKind,
  type Owned,
} from '../support/owned-objects.ts';
import type { Service } from '../support/stack.ts';

/** The scopes whose keys may use objects of other keys, and the status of success. */
const contract: Record<string, { kind: ObjectKind; scopes: Scope[]; success: number }> = {
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
  'POST /v2/organizations/:orgId/api-keys/:keyId/roll': { kind: 'key', scopes: ['admin'], success: 200 },
  'DELETE /v2/organizations/:orgId/api-keys/:keyId': { kind: 'key', scopes: ['admin'], success: 200 },
};

const endpoints = allEndpoints(await findOperations());
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const withObject = endpoints.filter(({ access, path }) => access !== 'public' && /:(?!orgId)/.test(path));

let service: Service;
let db: Database;
let callers: Caller[];
let creators: Caller[];

beforeAll(async () => {
  ({ service, db, callers, creators } = await joinWithCallers());
});
afterAll(() => db.close());

/** The contract's outcome. */
function expectedOf(route: string, caller: Caller, object: Owned): Outcome {
  const { kind, scopes: allowed } = contract[route]!;
  const isForeign = caller.org !== object.org;
  const isCrossed = caller.environment !== object.environment;
  const mayUse = caller.id === object.key || allowed.includes(caller.scope);
  if (kind === 'key') {
    if (caller.scope !== 'admin') return 403;
    if (isForeign) return 404;
    if (!route.startsWith('PATCH') && !route.endsWith('/roll')) return 'allowed';
    // A key cannot grant what it lacks.
    return (isCrossed && caller.environment === 'test') || !caller.domains.includes(object.domain) ? 403 : 'allowed';
  }
  if (kind === 'style' && !caller.domains.includes('style-dna')) return 403;
  if (kind === 'file' && !caller.domains.some((one) => one !== 'textcraft' && one !== 'studio')) return 403;
  if (kind === 'artwork' && !caller.domains.includes(object.domain)) return 404;
  return isForeign || isCrossed || !mayUse ? 404 : 'allowed';
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

test.each(withObject.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s: responds to each key as documented',
  async (route, endpoint) => {
    const { kind, success } = contract[route]!;
    for (const caller of callers) {
      // An object is made for each request, because a request may delete it.
      const objects = (await Promise.all([...creators, caller].map((owner) => make[kind](db, owner)))).flat();
      const check = async (object: Owned) => {
        const expected = expectedOf(route, caller, object);
        const status = await statusOf(endpoint, caller, object.id);
        const what = { caller, object };
        expect({ ...what, status }).toEqual({ ...what, status: expected === 'allowed' ? success : expected });
        expect({ ...what, outcome: documentedOf(endpoint, caller, object) }).toEqual({ ...what, outcome: expected });
      };
      await Promise.all(objects.map(check));
    }
  },
);
