/** Image links work without a key, for one file, until they expire. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { call, create, ended, read } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { expectProblem } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let receiver: Receiver;
let artwork: ArtworkView;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('embedded'), startReceiver()]);
  const size = { width: 256, height: 256, numImages: 2, outputFormat: 'webp' };
  const { id } = await create(service, { prompt: 'a fox', webhookUrl: receiver.url, ...size });
  artwork = await ended(service, id);
});
afterAll(async () => {
  await receiver.close();
});

const link = (index = 0) => artwork.images[index]!.url;

test('a link returns the file that the artwork describes, without a key', async () => {
  expect(artwork.images).toHaveLength(2);
  for (const image of artwork.images) {
    const response = await fetch(image.url);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(image.contentType);
    expect(response.headers.get('content-length')).toBe(String(image.bytes));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(image.sha256);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
  }
});

test('a link expires with its artwork', () => {
  const expires = Number(new URL(link()).searchParams.get('expires')) * 1000;
  const left = Date.parse(artwork.expiresAt) - expires;
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBeLessThan(1000);
});

test('HEAD returns the headers', async () => {
  const { status, headers, body } = await call(link(), { method: 'HEAD' });
  expect([status, headers.get('content-length'), body]).toEqual([200, String(artwork.images[0]!.bytes), '']);
});

test('HEAD and GET return the digest as ETag and a name for the saved file', async () => {
  const { sha256 } = artwork.images[0]!;
  const name = new URL(link()).pathname.split('/').at(-1)!;
  for (const method of ['HEAD', 'GET']) {
    const { headers } = await fetch(link(), { method });
    expect(headers.get('etag')).toBe(`"${sha256}"`);
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('content-disposition')).toBe(`inline; filename="${artwork.id}-${name}"`);
  }
});

test('returns 304 to a client that has the file', async () => {
  const { sha256 } = artwork.images[0]!;
  const { pathname, search } = new URL(link());
  // `fetch` would add `Cache-Control: no-cache`, which requests the whole file.
  const send = (known: string) =>
    raw(service.baseUrl, { path: pathname + search, headers: { 'if-none-match': known } });
  for (const known of [`"${sha256}"`, `"other", W/"${sha256}"`, '*']) {
    const { status, headers, body } = await send(known);
    expect([status, headers.get('etag'), body]).toEqual([304, `"${sha256}"`, '']);
    expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
  }
  expect((await send(`"${'0'.repeat(64)}"`)).status).toBe(200);
});

test('returns the part of the file that the request names', async () => {
  const whole = Buffer.from(await (await fetch(link())).arrayBuffer());
  const size = whole.byteLength;
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const response = await fetch(link(), { headers: { range, ...headers } });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, range: response.headers.get('content-range'), bytes };
  };
  const partial = (start: number, end: number) => ({
    status: 206,
    range: `bytes ${start}-${end}/${size}`,
    bytes: whole.subarray(start, end + 1),
  });
  expect(await part('bytes=0-9')).toEqual(partial(0, 9));
  expect(await part('bytes=100-')).toEqual(partial(100, size - 1));
  expect(await part('bytes=-5')).toEqual(partial(size - 5, size - 1));
  expect(await part(`bytes=10-${size + 50}`)).toEqual(partial(10, size - 1));
  expect(await part('bytes=0-9', { 'if-range': `"${artwork.images[0]!.sha256}"` })).toEqual(partial(0, 9));
  const all = { status: 200, range: null, bytes: whole };
  for (const other of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=x-y']) expect(await part(other)).toEqual(all);
  expect(await part('bytes=0-9', { 'if-range': '"another"' })).toEqual(all);
  expect(await part(`bytes=${size}-`)).toEqual({ status: 416, range: `bytes */${size}`, bytes: Buffer.alloc(0) });
});

test('a link works with any key, and without the version', async () => {
  expect((await fetch(link(), { headers: { authorization: 'Bearer nonsense' } })).status).toBe(200);
  expect((await fetch(link().replace('/v2/', '/'))).status).toBe(200);
});

test('a changed link returns 404', async () => {
  const change = (edit: (url: URL) => void) => {
    const url = new URL(link());
    edit(url);
    return url.href;
  };
  const other = new URL(link(1)).searchParams.get('signature')!;
  const signature = new URL(link()).searchParams.get('signature')!;
  const changed = [
    change(({ searchParams }) => searchParams.delete('signature')),
    change(({ searchParams }) => searchParams.delete('expires')),
    change((url) => (url.search = '')),
    change(({ searchParams }) => searchParams.set('signature', '')),
    change(({ searchParams }) => searchParams.set('signature', other)),
    change(({ searchParams }) => searchParams.set('signature', `${signature}=`)),
    change(({ searchParams }) => searchParams.set('signature', signature.slice(1))),
    change(({ searchParams }) => searchParams.append('signature', signature)),
    change(({ searchParams }) => searchParams.set('expires', String(Number(searchParams.get('expires')) + 1))),
    change(({ searchParams }) => searchParams.set('expires', 'never')),
    change((url) => (url.pathname = url.pathname.replace('image-1', 'image-2'))),
    change((url) => (url.pathname = url.pathname.replace('image-1', 'image-3'))),
    change((url) => (url.pathname = url.pathname.replace(/art_\w+/, 'art_x'))),
    change((url) => (url.pathname += '%00')),
  ];
  for (const url of changed) expectProblem(await call(url, { key: service.adminKey }), 'not_found');
});

test('an expired link and a link to an unknown file return 404', async () => {
  const links = openLinks(openVault(service.secret), service.baseUrl);
  const name = new URL(link()).pathname.split('/').at(-1)!;
  const future = new Date(Date.now() + 60_000);
  expect((await fetch(links.make(artwork.id, name, future))).status).toBe(200);
  expectProblem(await call(links.make(artwork.id, name, new Date(Date.now() - 1000))), 'not_found');
  for (const other of ['image-9.webp', '..%2fx', '%00', 'x'.repeat(3000)]) {
    expectProblem(await call(links.make(artwork.id, other, future)), 'not_found');
  }
  const foreign = openLinks(openVault('another secret, at least 32 characters'), service.baseUrl);
  expectProblem(await call(foreign.make(artwork.id, name, future)), 'not_found');
});

test('the artwork, its event and its deliveries are as documented', async () => {
  const contract = await readContract(service.baseUrl);
  const [{ event }] = (await receiver.until(artwork.id)) as [(typeof receiver.received)[number]];
  contract.check('GET', '/v2/artworks/{id}', { status: 200, body: await read(service, artwork.id) });
  const request = ['requestBody', 'content', 'application/json', 'schema'];
  contract.checkAt(['webhooks', 'artworkFinished', 'post', ...request], event);
  const url = `${service.baseUrl}/v2/artworks/${artwork.id}/deliveries`;
  const deliveries = await call<{ items: object[] }>(url, { key: service.adminKey });
  contract.check('GET', '/v2/artworks/{id}/deliveries', deliveries);
  expect(deliveries.body.items).toMatchObject([{ attempt: 1, status: 200, error: null, nextAt: null }]);
});
