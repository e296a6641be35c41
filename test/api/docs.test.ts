/** The documentation: a valid OpenAPI 3.1 document of every endpoint, which matches the responses, on pages that load nothing from other hosts. */
import { beforeAll, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { call } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

const endpoints = allEndpoints(await findOperations());
const templated = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
let service: Service;
let contract: Contract;

beforeAll(async () => {
  service = await joinService('accepting');
  contract = await readContract(service.baseUrl);
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(contract.document));
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
});

test('the document contains exactly the endpoints of the registry', () => {
  const documented = Object.entries(contract.document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${templated(path)}`).sort());
});

test('every reference resolves, and every operation has a unique name', () => {
  const found: string[] = [];
  const names: string[] = [];
  JSON.stringify(contract.document, (key, value: unknown) => {
    if (key === '$ref') found.push(String(value));
    if (key === 'operationId') names.push(String(value));
    return value;
  });
  expect(found).toContain('#/components/schemas/Problem');
  for (const reference of new Set(found)) {
    const steps = reference.replace('#/', '').split('/');
    const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], contract.document);
    expect([reference, target]).toEqual([reference, expect.any(Object)]);
  }
  expect(new Set(names).size).toBe(endpoints.length);
});

test('the examples of requests are valid', () => {
  const bodied = endpoints.filter(({ body }) => body);
  expect(bodied.length).toBeGreaterThan(3);
  for (const { method, path, bodyExample } of bodied) {
    const request = ['requestBody', 'content', 'application/json', 'schema'];
    contract.checkAt(['paths', templated(path), method.toLowerCase(), ...request], bodyExample);
  }
});

test('responses are as documented', async () => {
  const { baseUrl, orgId, adminKey: key } = service;
  const keys = `/v2/organizations/${orgId}/api-keys`;
  const check = async (method: string, path: string, url: string, body?: unknown) => {
    const response = await call(`${baseUrl}${url}`, { method, key, body });
    contract.check(method, path, response);
    return response;
  };
  for (const { method, path, tag } of endpoints) {
    if (tag === 'Styles and aspect ratios') await check(method, path, path);
  }
  const artwork = await check('POST', '/v2/artworks/selena', '/v2/artworks/selena', { prompt: 'a fox' });
  const id = String(artwork.body['id']);
  await check('GET', '/v2/artworks/{id}', `/v2/artworks/${id}`);
  await check('GET', '/v2/artworks', '/v2/artworks?status=STARTING');
  await check('GET', '/v2/artworks/{id}/timeline', `/v2/artworks/${id}/timeline`);
  await check('GET', '/v2/artworks/{id}/deliveries', `/v2/artworks/${id}/deliveries`);
  await check('GET', '/v2/organizations/{orgId}', `/v2/organizations/${orgId}`);
  const fields = { label: 'a', scope: 'generator', domains: ['studio'] };
  const made = await check('POST', '/v2/organizations/{orgId}/api-keys', keys, fields);
  const one = '/v2/organizations/{orgId}/api-keys/{keyId}';
  await check('DELETE', one, `${keys}/${String(made.body['keyId'])}`);
  await check('POST', '/v2/organizations/{orgId}/webhook-secret', `/v2/organizations/${orgId}/webhook-secret`, {});
  for (const method of ['POST', 'GET'])
    await check(
      method,
      '/v2/organizations/{orgId}/webhook-signing-key',
      `/v2/organizations/${orgId}/webhook-signing-key`,
    );
});

test('errors are as documented', async () => {
  const { baseUrl, orgId, adminKey } = service;
  const requests: [method: string, path: string, url: string, key: string | null, body?: unknown][] = [
    ['POST', '/v2/artworks/selena', '/v2/artworks/selena', adminKey, {}],
    ['POST', '/v2/artworks/selena', '/v2/artworks/selena', null, {}],
    ['GET', '/v2/artworks/{id}', '/v2/artworks/nothing', adminKey],
    ['GET', '/v2/images/{artworkId}/{name}', '/v2/images/a/b', null],
    [
      'POST',
      '/v2/organizations/{orgId}/api-keys',
      `/v2/organizations/${orgId}/api-keys`,
      adminKey,
      { label: 'a', scope: 'admin', domains: ['studio'] },
    ],
    ['DELETE', '/v2/organizations/{orgId}/api-keys/{keyId}', `/v2/organizations/${orgId}/api-keys/x`, adminKey],
  ];
  const statuses = [];
  for (const [method, path, url, key, body] of requests) {
    const response = await call(`${baseUrl}${url}`, { method, key, body });
    contract.check(method, path, response);
    statuses.push(response.status);
  }
  expect(statuses).toEqual([400, 401, 404, 404, 403, 404]);
});

test.each(['selena', 'quantum', 'hamilton'])('%s lists its styles and aspect ratios', async (family) => {
  const get = (name: string) => call(`${service.baseUrl}/v2/artworks/${family}/${name}`, { key: service.adminKey });
  const [styles, ratios] = [await get('styles'), await get('aspect-ratios')];
  expect(styles.body).toEqual({ family, styles: expect.any(Array) });
  for (const style of styles.body['styles'] as object[]) {
    expect(style).toEqual({
      id: expect.stringMatching(/^[a-z0-9-]+$/),
      name: expect.any(String),
      description: expect.any(String),
      seamless: expect.any(Boolean),
      operations: expect.arrayContaining([family]),
    });
  }
  expect(ratios.body).toEqual({ family, default: '1:1', aspectRatios: expect.any(Array) });
  const sizes = ratios.body['aspectRatios'] as { id: string; width: number; height: number }[];
  expect(sizes.map(({ id }) => id)).toContain('1:1');
  for (const { id, width, height, ...rest } of sizes) {
    const [across, down] = id.split(':').map(Number);
    expect(Math.abs(width / height / (across! / down!) - 1)).toBeLessThan(0.05);
    expect([width % 8, height % 8, rest]).toEqual([0, 0, {}]);
  }
});

test('selena has the three seamless styles', async () => {
  const { body } = await call(`${service.baseUrl}/v2/artworks/selena/styles`, { key: service.adminKey });
  const styles = body['styles'] as { id: string; seamless: boolean }[];
  const seamless = styles.filter((style) => style.seamless).map(({ id }) => id);
  expect(seamless.sort()).toEqual(['infiny-flow', 'infiny-pattern', 'infiny-weave']);
});

test('the pages load nothing from other hosts', async () => {
  const page = await call<string>(`${service.baseUrl}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const parts = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path!);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) {
    expect(part).toMatch(/^\/docs\//);
    expect([part, (await call(`${service.baseUrl}${part}`)).status]).toEqual([part, 200]);
  }
  const script = await call<string>(`${service.baseUrl}/docs/start.js`);
  expect(`${page.body}${script.body}`).not.toMatch(/https?:|"\/\//);
  expect(script.body).toContain('persistAuthorization: false');
});

test('the content security policy allows plain http and no other host', async () => {
  const policy = (await call(`${service.baseUrl}/docs`)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/https:|upgrade-insecure-requests/);
});
