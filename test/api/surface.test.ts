/** Rules of every path: versions, unknown paths and methods, request ids, HEAD, and paths without a key. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const endpoints = allEndpoints(await findOperations());
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const fox = { prompt: 'a red fox' };
let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const at = (path: string) => `${service.baseUrl}${path}`;

test('GET / describes the service and lists every public route', async () => {
  const { status, body } = await call(at('/'));
  expect(status).toBe(200);
  expect(body).toEqual({
    name: 'Atelier',
    version: manifest.version,
    apiVersion: 'v2',
    docs: 'https://api.example.com/docs',
    openapi: 'https://api.example.com/openapi.json',
    routes: endpoints.map(({ method, path, summary, access }) => ({
      method,
      path,
      scope: access === 'public' ? null : access.scope,
      domain: access === 'public' || !access.domains ? null : access.domains.join(' or '),
      summary,
    })),
  });
  expect(manifest.version).toMatch(/^2\.6\.\d+$/);
});

test('the health check needs no key', async () => {
  const whole = { status: 'ok', version: manifest.version, checks: { database: 'ok', temporal: 'ok' } };
  // A check has a second, which is little on a busy machine.
  await eventually(async () => expect(await call(at('/health'))).toMatchObject({ status: 200, body: whole }));
  expect((await call(at('/health'))).body).toEqual(whole);
  for (const path of ['/health/ready', '/health/ready/creations']) expect((await call(at(path))).body).toEqual(whole);
  expect((await call(at('/health/live'))).body).toEqual({ status: 'ok', version: manifest.version });
});

test.each(['/v1', '/v1/', '/v1?a=b', '/v1/artworks/selena', '/v1/docs', '/v1/%E0%A4%A', '/v1//..%2f'])(
  '%s returns 410 for every method',
  async (path) => {
    for (const method of [...methods, 'TRACE']) {
      const { status, body } = await raw(service.baseUrl, { method, path });
      expect([method, status, body]).toEqual([
        method,
        410,
        {
          statusCode: 410,
          message: expect.stringMatching(/V1 is deprecated.*V2/),
          docs: 'https://api.example.com/docs',
        },
      ]);
    }
    expect(await raw(service.baseUrl, { method: 'HEAD', path })).toMatchObject({ status: 410, body: '' });
  },
);

test('V1 returns 410 with a key and a body too', async () => {
  const response = await call(at('/v1/artworks/selena'), { method: 'POST', key: service.adminKey, body: fox });
  expect(Object.keys(response.body)).toEqual(['statusCode', 'message', 'docs']);
  expect(response.status).toBe(410);
});

test('a path without a version is the V2 path', async () => {
  const key = service.adminKey;
  const created = await call(at('/artworks/selena?a=b'), { method: 'POST', key, body: fox });
  expect(created.status).toBe(202);
  expect(created.headers.get('location')).toBe(`/v2/artworks/${String(created.body['id'])}`);
  const artwork = await call(at(`/artworks/${String(created.body['id'])}`), { key });
  expect(artwork).toMatchObject({ status: 200, body: { status: 'STARTING', operation: 'selena' } });
  expect((await call(at('/artworks/selena/styles'), { key })).body).toMatchObject({ family: 'selena' });
  expect((await call(at(`/organizations/${service.orgId}`), { key })).body).toMatchObject({ orgId: service.orgId });
  expectProblem(await call(at('/artworks/selena'), { method: 'POST', body: fox }), 'invalid_api_key');
});

test.each([
  '/nothing',
  '/v2',
  '/v2/',
  '/v2/nothing',
  '/v2/artworks/selena/styles/watercolor',
  '/v2/v2/artworks/selena',
  '/v2/images',
  '/v3/artworks/selena',
  '/v10/artworks',
  '/V2/artworks/selena/styles',
  '/v2/Artworks/selena/styles',
  '/v2//artworks/selena/styles',
  '/v1x',
  '/docs/nothing.js',
  '/docs/index.html',
  '/docs/%2e%2e/package.json',
  '/health/nothing',
  '/favicon.ico',
])('%s returns 404 with and without a key', async (path) => {
  for (const headers of [{}, { authorization: `Bearer ${service.adminKey}` }, { authorization: 'Bearer nonsense' }]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expectProblem(await raw(service.baseUrl, { method, path, headers }), 'not_found');
    }
  }
});

const system = [
  '/',
  '/health',
  '/health/live',
  '/health/ready',
  '/health/ready/creations',
  '/openapi.json',
  '/docs',
  '/docs/swagger-ui.css',
];
const allowed: [path: string, methods: string[]][] = [
  ...system.map((path): [string, string[]] => [path, ['GET']]),
  ...[...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]): [string, string[]] => [
    path,
    group.map(({ method }) => method),
  ]),
];

test.each(allowed)('%s accepts %j and lists them in the 405 of another method', async (path, takes) => {
  const allow = takes.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  const filled = at(path.replaceAll(/:\w+/g, 'nothing'));
  for (const method of methods.filter((one) => !takes.includes(one))) {
    const response = await call(filled, { method, key: service.adminKey });
    expectProblem(response, 'method_not_allowed');
    expect([method, response.headers.get('allow')]).toEqual([method, allow]);
  }
});

test('every response has a request id: the one that was sent, if it is valid', async () => {
  const paths = ['/', '/v1', '/nothing', '/health/live', '/v2/artworks/selena/styles', '/v2/artworks/nothing', '/docs'];
  for (const path of paths) {
    for (const id of ['abc', 'A-b_c.d~1', 'x'.repeat(128)]) {
      const { headers } = await call(at(path), { key: service.adminKey, headers: { 'x-request-id': id } });
      expect([path, headers.get('x-request-id')]).toEqual([path, id]);
    }
    for (const id of ['', 'a b', 'x'.repeat(129), 'a"b', '<script>', 'a,b', 'é']) {
      const { headers } = await call(at(path), { key: service.adminKey, headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
    }
  }
});

test('an error contains the request id of its response', async () => {
  const bad = { method: 'POST', key: service.adminKey, body: {}, headers: { 'x-request-id': 'mine' } };
  for (const response of [
    await call(at('/v2/artworks/selena'), bad),
    await call(at('/v2/artworks/selena'), { ...bad, key: null }),
    await call(at('/nothing'), bad),
    await call(at('/v2/artworks/x'), bad),
  ]) {
    expect(response.body['requestId']).toBe('mine');
  }
});

test('an idle connection stays open for 75 s, longer than at common load balancers (60 s)', async () => {
  expect((await call(at('/health'))).headers.get('keep-alive')).toBe('timeout=75');
});

test('HEAD is GET without a body', async () => {
  const key = service.adminKey;
  for (const path of [
    '/',
    '/health/live',
    '/openapi.json',
    '/docs',
    '/v2/artworks/selena/styles',
    '/artworks/nothing',
  ]) {
    const [get, head] = [await call(at(path), { key }), await call(at(path), { method: 'HEAD', key })];
    expect([path, head.status, head.headers.get('content-length')]).toEqual([
      path,
      get.status,
      get.headers.get('content-length'),
    ]);
  }
  expect((await call(at('/v2/artworks/selena/styles'), { method: 'HEAD' })).status).toBe(401);
});

test('a trailing slash changes nothing', async () => {
  const key = service.adminKey;
  for (const path of ['/health/', '/docs/', '/v2/artworks/selena/styles/', `/organizations/${service.orgId}/`]) {
    expect([path, (await call(at(path), { key })).status]).toEqual([path, 200]);
  }
  expect((await call(at('/v2/artworks/selena/'), { method: 'POST', key, body: fox })).status).toBe(202);
});

test('a proxy may send the absolute URL', async () => {
  const headers = { authorization: `Bearer ${service.adminKey}` };
  for (const path of ['/v2/artworks/selena/styles', '/artworks/selena/styles', '/health/live', '/v1/a']) {
    const [short, long] = [path, at(path)].map((target) => raw(service.baseUrl, { path: target, headers }));
    expect([path, (await long!).status]).toEqual([path, (await short!).status]);
  }
});

test('responses reveal no software and stop browsers from sniffing the content type', async () => {
  const { headers } = await call(at('/'));
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
});
