/** Every response: its headers for browsers, its content type, and the methods and files that the API does not serve. */
import { beforeAll, expect, test } from '@jest/globals';
import { call, create } from '../support/client.ts';
import { raw, rawBytes } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const pages = ['/', '/health', '/health/live', '/openapi.json', '/docs', '/docs/start.js', '/docs/swagger-ui.css'];
const playground = ['/playground', '/playground/main.js', '/playground/page.css'];
const others = ['/v1/artworks', '/v2/artworks', '/v2/artworks/art_x', '/v2/images/art_x/image-1.webp', '/nothing'];
const methods = ['GET', 'POST', 'OPTIONS'];

/** Sends each method to each path, with and without a key, as a page of another origin would. */
async function responses() {
  const requests = [...pages, ...playground, ...others].flatMap((path) =>
    methods.flatMap((method) => [null, service.adminKey].map((key) => ({ path, method, key }))),
  );
  return Promise.all(
    requests.map(async ({ path, method, key }) => {
      const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
      const { status, headers: received } = await call(`${service.baseUrl}${path}`, { method, key, headers });
      return { name: `${method} ${path} ${status}`, headers: received };
    }),
  );
}

/** Returns the headers of a response that Node's parser or the check of the host causes. */
async function headersOfBroken(request: string): Promise<Headers> {
  const [head = ''] = (await rawBytes(service.baseUrl, request)).split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  return new Headers(lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]*: /, '')]));
}

test('every response forbids frames, sniffing, other origins and plain HTTP to browsers', async () => {
  const all = await responses();
  const broken = ['hello\r\n\r\n', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'];
  for (const name of broken) all.push({ name, headers: await headersOfBroken(name) });
  for (const { name, headers } of all) {
    const policy = headers.get('content-security-policy') ?? '';
    expect([name, policy]).toEqual([name, expect.stringMatching(/(object|default)-src 'none'/)]);
    expect([name, policy]).toEqual([name, expect.stringMatching(/default-src '(self|none)'/)]);
    expect([name, policy]).toEqual([name, expect.stringContaining("base-uri 'none'")]);
    expect([name, policy]).toEqual([name, expect.stringContaining("frame-ancestors 'none'")]);
    expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff']);
    expect([name, headers.get('referrer-policy')]).toEqual([name, 'no-referrer']);
    const transport = 'max-age=31536000; includeSubDomains';
    expect([name, headers.get('strict-transport-security')]).toEqual([name, transport]);
  }
});

test('no response sets a cookie, lets another origin read it, or leads elsewhere', async () => {
  for (const { name, headers } of await responses()) {
    const unwanted = [...headers.keys()].filter((header) => /^(set-cookie|location|access-control-)/.test(header));
    expect([name, unwanted]).toEqual([name, []]);
  }
});

test('every body has a content type, texts with their charset', async () => {
  for (const { name, headers } of await responses()) {
    expect([name, headers.get('content-type')]).toEqual([name, expect.stringMatching(/; charset=utf-8$/i)]);
  }
  const { id } = await create(service, { prompt: 'a fox' });
  const url = `${service.baseUrl}/v2/artworks/${id}/events`;
  const stream = await fetch(url, { headers: { authorization: `Bearer ${service.adminKey}` } });
  await stream.body?.cancel();
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
});

test('TRACE is rejected and repeats nothing', async () => {
  for (const path of ['/', '/docs', '/playground', '/v2/artworks', '/v2/artworks/selena', '/nothing']) {
    const headers = { authorization: `Bearer ${service.adminKey}`, 'x-word': 'lighthouse' };
    const { status, body } = await raw(service.baseUrl, { method: 'TRACE', path, headers });
    expect([path, [404, 405].includes(status)]).toEqual([path, true]);
    expect(JSON.stringify(body)).not.toMatch(/lighthouse|at[lt]_/);
  }
});

test.each([
  '/.git/config',
  '/.env',
  '/package.json',
  '/playground/styles',
  '/playground/styles/',
  '/docs/package.json',
  '/docs/../package.json',
  '/docs//..%2fpackage.json',
  '/metrics',
  '/v2/images',
  '/v2/images/',
])('serves neither its own files nor a list of files: %s', async (path) => {
  const { status } = await raw(service.baseUrl, { path, headers: { authorization: `Bearer ${service.adminKey}` } });
  expect(status).toBe(404);
});

test('a key is accepted in its header only', async () => {
  const key = service.adminKey;
  const path = '/v2/artworks/selena/styles';
  for (const query of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'authorization']) {
    expect([query, (await call(`${service.baseUrl}${path}?${query}=${key}`)).status]).toEqual([query, 401]);
  }
  for (const headers of [
    { cookie: `apiKey=${key}` },
    { 'x-api-key': key },
    { 'proxy-authorization': `Bearer ${key}` },
  ]) {
    expect([headers, (await call(`${service.baseUrl}${path}`, { headers })).status]).toEqual([headers, 401]);
  }
});
