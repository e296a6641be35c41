/** Image files in a bucket of a real S3 server, which also fails in the ways of stores. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { readConfig } from '../../runtime/config.ts';
import { StartupError } from '../../runtime/startup-error.ts';
import { type Files, openFiles } from '../../store/files.ts';
import { toUnavailable } from '../../store/files/s3-client.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { secret } from '../support/database.ts';
import { type Fault } from '../support/faulty-store.ts';
import { testFiles } from '../support/files-contract.ts';
import { startTestStore, type TestStore } from '../support/s3.ts';

// The first run on a machine builds the server for minutes.
jest.setTimeout(900_000);

let store: TestStore;
let files: Files;

const timeout = 2000;
/** Milliseconds that a busy machine may add. */
const margin = 1000;

beforeAll(async () => {
  store = await startTestStore();
  // The SDK reads them.
  Object.assign(process.env, store.env);
  files = await openFiles(readConfig({ ...store.env, ATELIER_SECRET: secret }).files, { timeout });
});
afterAll(() => store.stop());

testFiles(() => files);

test('keeps objects below the prefix, one for each file', async () => {
  await files.write('art_8', 'a.png', Buffer.from('a'));
  expect(await store.list('test/art_8/')).toEqual(['test/art_8/a.png']);
  expect((await store.list()).every((key) => key.startsWith('test/'))).toBe(true);
});

test('removes more files than one request can delete', async () => {
  for (let batch = 0; batch < 21; batch++) {
    await Promise.all(
      Array.from({ length: 50 }, (_none, index) => files.write('art_9', `${batch}-${index}`, Buffer.from('x'))),
    );
  }
  expect(await store.list('test/art_9/')).toHaveLength(1000);
  await files.remove('art_9');
  expect(await store.list('test/art_9/')).toEqual([]);
});

test('a presigned URL delivers the file as presented, also in part, until it expires', async () => {
  await files.write('art_10', 'a.png', Buffer.from('0123456789'));
  const presentation = { contentType: 'image/webp', disposition: 'inline; filename="fox.webp"', expiresIn: 2 };
  const url = (await files.presign('art_10', 'a.png', presentation))!;
  expect(new URL(url).origin).toBe(files.origin);
  const response = await fetch(url);
  expect([response.status, await response.text()]).toEqual([200, '0123456789']);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('content-disposition')).toBe('inline; filename="fox.webp"');
  expect(response.headers.get('cache-control')).toBe('private, max-age=2, immutable');
  const part = await fetch(url, { headers: { range: 'bytes=2-4' } });
  expect([part.status, await part.text()]).toEqual([206, '234']);
  expect((await fetch(url.replace('a.png', 'b.png'))).status).toBe(403);
  await new Promise((resolve) => setTimeout(resolve, 3500));
  expect((await fetch(url)).status).toBe(403);
});

const steps: Record<string, () => Promise<unknown>> = {
  write: () => files.write('art_12', 'b.png', Buffer.from('b')),
  'write of a large file': () => files.write('art_12', 'c.png', Buffer.alloc(5_000_000)),
  read: () => files.read('art_12', 'a.png'),
  load: () => files.load('art_12', 'a.png'),
  size: () => files.size('art_12', 'a.png'),
  delete: () => files.delete('art_12', 'b.png'),
  remove: () => files.remove('art_12'),
};

describeFault('unreachable');
describeFault('silent');
describeFault('forbidden');
describeFault('slow-down');

function describeFault(fault: Fault): void {
  describe(`while the store is ${fault}`, () => {
    beforeEach(async () => {
      await files.write('art_12', 'a.png', Buffer.from('a'));
      await store.faults.fail(fault);
    });
    afterEach(() => store.faults.fail(null));

    test.each(Object.keys(steps))('%s fails as unavailable within its timeout, then works again', async (step) => {
      const began = performance.now();
      const error = await steps[step]!().catch((reason: unknown) => reason);
      const took = Math.round(performance.now() - began);
      console.info(`${fault}: ${step} failed after ${took} ms: ${String(error)}`);
      expect(isStoreUnavailable(error)).toBe(true);
      expect(String(error)).not.toMatch(/atelier-local|127\.0\.0\.1|http/);
      expect(took).toBeLessThan((step === 'write of a large file' ? 2 * timeout : timeout) + margin);
      await store.faults.fail(null);
      await steps[step]!();
    });
  });
}

test.each([
  ['stalled', timeout],
  // Plus the time of a transfer at the lowest rate.
  ['trickling', timeout + 750],
] as const)('a download that is %s fails', async (fault, limit) => {
  await files.write('art_13', 'a.png', Buffer.alloc(3_000_000, 1));
  await store.faults.fail(fault);
  const began = performance.now();
  await expect(files.load('art_13', 'a.png')).rejects.toThrow('not available: read failed (TimeoutError');
  expect(performance.now() - began).toBeLessThan(limit + margin);
  await store.faults.fail(null);
  expect((await files.load('art_13', 'a.png'))!.byteLength).toBe(3_000_000);
});

test.each(['read', 'load', 'size'] as const)('%s of a missing bucket fails as unavailable', async (step) => {
  const env = { ...store.env, ATELIER_SECRET: secret, ATELIER_FILES: 's3://no-such-bucket' };
  const elsewhere = await openFiles(readConfig(env).files, { timeout });
  const error = await elsewhere[step]('art_1', 'a.png').catch((reason: unknown) => reason);
  expect(isStoreUnavailable(error)).toBe(true);
  expect(String(error)).toMatch('read failed (NoSuchBucket 404)');
});

test('an outage names its cause without the words of the SDK', async () => {
  await store.faults.fail('forbidden');
  const error = await files.load('art_1', 'a.png').catch((reason: unknown) => reason);
  await store.faults.fail(null);
  expect(error).toMatchObject({ cause: { name: 'AccessDenied', message: '' } });
});

test('a mistake in the code is no outage', () => {
  expect(toUnavailable('read', new RangeError('x'))).toEqual(new RangeError('x'));
  const unreadable = Object.assign(new TypeError('x'), { $response: {}, $metadata: { httpStatusCode: 200 } });
  expect(String(toUnavailable('read', unreadable))).toMatch(/read failed \(TypeError 200\)$/);
});

test('a slow store works, and a client that reads slowly gets the whole file', async () => {
  store.faults.slow(800);
  await files.write('art_14', 'a.png', Buffer.alloc(3_000_000, 1));
  const stream = (await files.read('art_14', 'a.png'))!;
  await new Promise((resolve) => setTimeout(resolve, timeout + margin));
  expect((await buffer(stream)).byteLength).toBe(3_000_000);
  store.faults.slow(0);
});

test.each([
  ['AWS_REGION', { AWS_REGION: undefined }],
  ['AWS_REGION', { AWS_REGION: 'eu central' }],
  ['AWS_ACCESS_KEY_ID', { AWS_ACCESS_KEY_ID: undefined, AWS_EC2_METADATA_DISABLED: 'true' }],
  ['AWS_ENDPOINT_URL_S3', { AWS_ENDPOINT_URL_S3: 's3.example.com' }],
  ['AWS_ENDPOINT_URL_S3', { AWS_ENDPOINT_URL_S3: 'localhost:9000' }],
  ['AWS_ENDPOINT_URL_S3', { AWS_ENDPOINT_URL_S3: 'https://' }],
])('names %s when it is %p', async (name, env) => {
  const before = { ...process.env };
  try {
    for (const [key, value] of Object.entries(env)) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
    const error = await openFiles(readConfig({ ...store.env, ATELIER_SECRET: secret }).files, { timeout }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartupError);
    expect(String(error)).toContain(name);
  } finally {
    for (const key of Object.keys(env)) delete process.env[key];
    Object.assign(process.env, before);
  }
});
