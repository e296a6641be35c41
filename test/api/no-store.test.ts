/** No cache keeps a response of the API: keys, secrets and prompts are in them. Image links keep their own caching. */
import { beforeAll, expect, test } from '@jest/globals';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

async function cacheControl(request: string, body?: object, key = service.adminKey) {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.baseUrl}${path.replace(':orgId', service.orgId)}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return [response.status, response.headers.get('cache-control')];
}

const newKey = { label: 'shop', scope: 'generator', domains: ['studio'] };

test.each<[number, string, object | undefined]>([
  [201, 'POST /v2/organizations/:orgId/api-keys', newKey],
  [201, 'POST /organizations/:orgId/api-keys', newKey],
  [200, 'GET /v2/organizations/:orgId/api-keys', undefined],
  [200, 'POST /v2/organizations/:orgId/webhook-secret', undefined],
  [202, 'POST /v2/artworks/selena', { prompt: 'a quay' }],
  [200, 'GET /v2/artworks', undefined],
  [400, 'POST /v2/artworks/selena', { prompt: 7 }],
  [404, 'GET /v2/artworks/art_unknown', undefined],
  [404, 'GET /v2/unknown', undefined],
  [405, 'PUT /v2/artworks', undefined],
])('%i: %s', async (status, request, body) => {
  expect(await cacheControl(request, body)).toEqual([status, 'no-store']);
});

test('401: a request with a wrong key', async () => {
  expect(await cacheControl('GET /v2/artworks', undefined, 'atl_wrong')).toEqual([401, 'no-store']);
});
