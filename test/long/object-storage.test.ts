/** The service on a real S3 server: links, purges, memory, and every way in which the store fails. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { Image } from '../../store/entities.ts';
import { fileTimeouts } from '../../runtime/timeouts.ts';
import { openFiles } from '../../store/files.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { readConfig } from '../../runtime/config.ts';
import { secret } from '../support/database.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault } from '../support/faulty-store.ts';
import { bomb } from '../support/pictures.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { startReceiver } from '../support/receiver.ts';
import { startTestStore, type TestStore } from '../support/s3.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import { type FurtherApi, type Stack, startFurtherApi } from '../support/stack.ts';
import type { DirectFake } from '../upstreams/direct-fake.ts';
import { startOpenAiImages } from '../upstreams/openai-images.ts';

// The first run on a machine builds the S3 server for minutes.
jest.setTimeout(900_000);

const faults: Fault[] = ['unreachable', 'silent', 'forbidden', 'slow-down'];

let store: TestStore;
let openai: DirectFake;
let stack: Stack;
/** An API that sends the images itself. */
let proxying: FurtherApi;
let picture: Buffer;

beforeAll(async () => {
  [store, openai, picture] = await Promise.all([startTestStore(), startOpenAiImages({ apiKey }), photo('coffee')]);
  // The SDK in this process reads them, too.
  Object.assign(process.env, store.env);
  const engines = enginesEnv(shared().folder, {
    engines: { openai: at('openai', openai) },
    models: {
      selena: [{ engine: 'openai', model: 'gpt-image-2.5-flare', input: { prompt: { from: 'styledPrompt' } } }],
    },
  });
  stack = await startSharedStack({ env: { ...engines, ...store.env } });
  proxying = await startFurtherApi(stack, { ATELIER_LINKS: 'proxy' });
});
afterEach(async () => {
  await store.faults.fail(null);
  openai.reset();
});
afterAll(async () => {
  await proxying.stop();
  await stack.stop();
  await Promise.all([store.stop(), openai.close()]);
});

const upload = (to: { baseUrl: string } = stack) =>
  raw(to.baseUrl, {
    method: 'POST',
    path: '/v2/files',
    headers: { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'image/jpeg' },
    body: [picture],
  });

async function uploaded(to?: { baseUrl: string }): Promise<string> {
  const { status, body } = await upload(to);
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

const listOf = (owner: string) => store.list(`test/${owner}/`);
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function depthMap(image: string, to: FurtherApi | Stack = stack): Promise<ArtworkView> {
  const { id } = await create(to, { image }, 'depth-map');
  const artwork = await ended(to, id, 60_000);
  expect(artwork.status).toBe('SUCCEEDED');
  return artwork;
}

/** Returns the same link on the API that sends images itself. */
const proxied = (link: string) => link.replace(stack.baseUrl, proxying.baseUrl);

test('a link redirects to a presigned URL that delivers the file, whole and in part', async () => {
  const artwork = await depthMap(await uploaded());
  const image = artwork.images[0]!;
  const response = await fetch(image.url, { redirect: 'manual' });
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('location')!);
  expect(location.origin).toBe(store.faults.endpoint);
  expect(Number(location.searchParams.get('X-Amz-Expires'))).toBe(15 * 60);
  expect(response.headers.get('cache-control')).toBe('private, max-age=840');

  const file = await fetch(image.url);
  expect(digest(await bytesOf(file))).toBe(image.sha256);
  expect(file.headers.get('content-type')).toBe(image.contentType);
  expect(file.headers.get('content-disposition')).toMatch(/^inline; filename="art_\w+-result-1\.\w{8}\.png"$/);
  const part = await fetch(location, { headers: { range: 'bytes=1-3' } });
  expect([part.status, (await bytesOf(part)).toString('latin1')]).toEqual([206, 'PNG']);
  const head = await fetch(image.url, { method: 'HEAD', redirect: 'error' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(image.bytes)]);
});

test('a presigned URL expires no later than its link', async () => {
  const artwork = await depthMap(await uploaded());
  const name = new URL(artwork.images[0]!.url).pathname.split('/').at(-1)!;
  const links = openLinks(openVault(stack.secret), stack.baseUrl);
  const link = links.make(artwork.id, name, new Date(Date.now() + 30_000));
  const response = await fetch(link, { redirect: 'manual' });
  const expires = Number(new URL(response.headers.get('location')!).searchParams.get('X-Amz-Expires'));
  expect(expires).toBeGreaterThan(25);
  expect(expires).toBeLessThanOrEqual(30);
  expect(response.headers.get('cache-control')).toBe('private, max-age=0');
});

test('with ATELIER_LINKS=proxy, the API sends the file, whole and in part', async () => {
  const artwork = await depthMap(await uploaded());
  const image = artwork.images[0]!;
  const file = await fetch(proxied(image.url), { redirect: 'error' });
  expect([file.status, file.headers.get('etag')]).toEqual([200, `"${image.sha256}"`]);
  expect(digest(await bytesOf(file))).toBe(image.sha256);
  const part = await fetch(proxied(image.url), { headers: { range: 'bytes=1-3' } });
  expect(part.headers.get('content-range')).toBe(`bytes 1-3/${image.bytes}`);
  expect([part.status, (await bytesOf(part)).toString('latin1')]).toEqual([206, 'PNG']);
});

test('the playground may show images of the bucket where links redirect to it', async () => {
  const policyOf = async ({ baseUrl }: { baseUrl: string }) =>
    (await fetch(`${baseUrl}/playground`)).headers.get('content-security-policy');
  expect(await policyOf(stack)).toContain(`img-src 'self' blob: ${store.faults.endpoint};`);
  expect(await policyOf(proxying)).toContain(`img-src 'self' blob:;`);
});

test('a deletion empties the prefix of the artwork, and nothing is in the data folder', async () => {
  const file = await uploaded();
  const { id } = await depthMap(dataUri(picture));
  // The image of the request is removed just after the end; the prepared image and the result remain.
  await eventually(async () =>
    expect((await listOf(id)).map((key) => key.replace(/^.*\/([a-z]+).*$/, '$1'))).toEqual(['image', 'result']),
  );
  expect(await listOf(file)).toEqual([`test/${file}/original`]);
  const response = await call(`${stack.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: stack.adminKey });
  expect(response.status).toBe(204);
  await eventually(async () => expect(await listOf(id)).toEqual([]));
  expect(await listOf(file)).toEqual([`test/${file}/original`]);
  expect(existsSync(join(stack.dataFolder, 'images'))).toBe(false);
});

test('the end of the retention empties the prefixes of the artwork and of the upload', async () => {
  const brief = await startFurtherApi(stack, { ATELIER_RETENTION: '10s', ATELIER_WEBHOOK_SCHEDULE: '0s' });
  try {
    const file = await uploaded(brief);
    const { id } = await depthMap(file, brief);
    expect((await listOf(id)).length + (await listOf(file)).length).toBe(3);
    await eventually(async () => expect([await listOf(id), await listOf(file)]).toEqual([[], []]), 30_000);
  } finally {
    await brief.stop();
  }
});

test.each(faults)('while the store is %s, requests with images get a quick 503 and leave nothing', async (fault) => {
  const artwork = await depthMap(await uploaded());
  const link = proxied(artwork.images[0]!.url);
  const before = await store.list();
  await store.faults.fail(fault);
  const requests: Record<string, () => Promise<{ status: number; headers: Headers; body: unknown }>> = {
    creation: () =>
      call(`${stack.baseUrl}/v2/artworks/depth-map`, {
        ...{ method: 'POST', key: stack.adminKey, body: { image: dataUri(picture) } },
      }),
    upload: () => upload(),
    link: () => call(link),
  };
  for (const [name, send] of Object.entries(requests)) {
    const began = performance.now();
    const response = await send();
    const took = Math.round(performance.now() - began);
    console.info(`${fault}: 503 for the ${name} after ${took} ms`);
    expectProblem(response, 'unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('cache-control') ?? '').not.toContain('max-age');
    // About two seconds on an idle machine.
    expect(took).toBeLessThan(6000);
  }
  // A request without images does not need the store.
  expect((await call(`${stack.baseUrl}/health`)).status).toBe(200);
  await store.faults.fail(null);
  expect((await call(link)).status).toBe(200);
  expect(await store.list()).toEqual(before);
});

test.each(faults)('a paid result is stored once the store is no longer %s, and paid for once', async (fault) => {
  openai.hold();
  const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256 });
  await eventually(() => expect(openai.counts.submissions).toBe(1));
  await store.faults.fail(fault);
  openai.release();
  await delay(8000);
  expect((await read(stack, id)).status).toBe('PROCESSING');
  await store.faults.fail(null);
  const artwork = await ended(stack, id);
  expect([artwork.status, openai.counts.submissions]).toEqual(['SUCCEEDED', 1]);
  expect(digest(await bytesOf(await fetch(artwork.images[0]!.url)))).toBe(artwork.images[0]!.sha256);
});

test.each(faults)('an artwork waits for its input while the store is %s', async (fault) => {
  const file = await uploaded();
  await store.faults.fail(fault);
  const { id } = await create(stack, { image: file }, 'depth-map');
  await delay(6000);
  expect((await read(stack, id)).status).toBe('PROCESSING');
  await store.faults.fail(null);
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});

test('an event does not wait for a store that does not respond to deletions, and the deletion follows', async () => {
  const receiver = await startReceiver();
  await store.faults.fail('silent-deletions');
  const { id } = await create(stack, { image: dataUri(picture), webhookUrl: receiver.url }, 'depth-map');
  const [event] = await receiver.until(id, 1, 60_000);
  const took = event!.at - Date.parse(String(event!.event['finishedAt']));
  console.info(`the event was sent ${took} ms after the end`);
  expect(took).toBeLessThan(3000);
  const inputs = async () => (await listOf(id)).filter((key) => key.includes('/input.'));
  expect(await inputs()).toHaveLength(1);
  await store.faults.fail(null);
  await eventually(async () => expect(await inputs()).toEqual([]), 60_000);
  await receiver.close();
});

test('a purge waits for the store', async () => {
  const { id } = await depthMap(await uploaded());
  await store.faults.fail('forbidden');
  await call(`${stack.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: stack.adminKey });
  await delay(2000);
  expect(await listOf(id)).not.toEqual([]);
  await store.faults.fail(null);
  await eventually(async () => expect(await listOf(id)).toEqual([]), 60_000);
});

const megabyte = 1024 * 1024;

/** Runs `work` and returns the growth of the API's memory in megabytes. */
async function growth(name: string, api: FurtherApi, work: () => Promise<unknown>): Promise<number> {
  const before = await memoryOf(api.pid);
  let peak = before;
  const measuring = setInterval(() => {
    void memoryOf(api.pid).then((now) => (peak = Math.max(peak, now)));
  }, 50);
  await work();
  clearInterval(measuring);
  console.info(`${name}: ${Math.round(before)} MB before, ${Math.round(peak)} MB at most`);
  return peak - before;
}

/** Megabytes. In memory, twenty files would take 400 MB. */
const allowedGrowth = 200;

test('20 slow downloads of 20 MB through the API take little memory', async () => {
  const artwork = await depthMap(await uploaded());
  const bytes = randomBytes(20 * megabyte);
  const large = { name: 'image-1.large.png', contentType: 'image/png', bytes: bytes.byteLength, sha256: digest(bytes) };
  const files = await openFiles(readConfig({ ...store.env, ATELIER_SECRET: secret }).files, {
    timeout: fileTimeouts.worker,
  });
  await files.write(artwork.id, large.name, bytes);
  const db = openTestDatabase(stack.databaseUrl);
  const facts = { width: 64, height: 64, seed: null, model: 'test', role: 'image' as const };
  await db.em().insert(Image, { ...large, ...facts, artwork: artwork.id });
  await db.close();
  const api = await startFurtherApi(stack, { ATELIER_LINKS: 'proxy', AWS_ENDPOINT_URL_S3: store.endpoint });
  const links = openLinks(openVault(stack.secret), api.baseUrl);
  const link = links.make(artwork.id, large.name, new Date(Date.now() + 60_000));

  const download = async () => {
    const response = await fetch(link);
    expect(response.status).toBe(200);
    const hash = createHash('sha256');
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      await delay(1);
    }
    expect(hash.digest('hex')).toBe(large.sha256);
  };
  await download();
  const grown = await growth('20 downloads of 20 MB', api, () => Promise.all(Array.from({ length: 20 }, download)));
  await api.stop();
  expect(grown).toBeLessThan(allowedGrowth);
});

test('20 uploads of 20 MB at once take little memory', async () => {
  const api = await startFurtherApi(stack, { AWS_ENDPOINT_URL_S3: store.endpoint });
  // A header and no pixels: the API reads the header.
  const header = bomb(1000, 1000);
  const large = Buffer.concat([header, randomBytes(20 * megabyte - header.byteLength)]);
  const send = async () => {
    const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'image/png' };
    const response = await fetch(`${api.baseUrl}/v2/files`, { method: 'POST', headers, body: large });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  };
  const [id] = [await send()];
  const grown = await growth('20 uploads of 20 MB', api, () => Promise.all(Array.from({ length: 20 }, send)));
  await api.stop();
  expect(grown).toBeLessThan(allowedGrowth);
  const files = await openFiles(readConfig({ ...store.env, ATELIER_SECRET: secret }).files, {
    timeout: fileTimeouts.worker,
  });
  expect(digest((await files.load(id, 'original'))!)).toBe(digest(large));
});

test('no log line contains a credential or a presigned URL', async () => {
  const names = (await readdir(stack.dataFolder)).filter((name) => name.endsWith('.log'));
  const logs = await Promise.all(names.map((name) => readFile(join(stack.dataFolder, name), 'utf8')));
  const all = logs.join('');
  expect(all).toContain('FilesUnavailable');
  for (const secret of [store.env['AWS_SECRET_ACCESS_KEY']!, store.env['AWS_ACCESS_KEY_ID']!, 'X-Amz-']) {
    expect(all.includes(secret)).toBe(false);
  }
});

/** Returns the memory of a process in megabytes. */
async function memoryOf(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
