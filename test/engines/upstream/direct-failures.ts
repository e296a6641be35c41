/** Tests for every direct protocol: each failure has the same message, one request, and an immediate end on cancellation. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Failure } from '../../../engines/upstream/failures.ts';
import type { Protocol, ProviderRequest } from '../../../engines/upstream/provider.ts';
import type { FakeFailure } from '../../upstreams/upstream-fake.ts';
import { apiKey, type Bench, connect, failure, measure, run, expectedFailure } from './direct.ts';

/** The classification of each failure, which is the same for every direct provider. */
const expected: Partial<Record<FakeFailure, Failure>> = {
  'bad-request': 'invalid',
  'bad-key': 'key-rejected',
  forbidden: 'key-rejected',
  unpaid: 'payment-required',
  'not-found': 'not-found',
  moderation: 'refused',
  busy: 'rate-limited',
  quota: 'quota-exceeded',
  broken: 'server-error',
  unavailable: 'server-error',
  'gateway-timeout': 'timeout',
  html: 'server-error',
  reset: 'connection-closed',
  cut: 'connection-closed',
  malformed: 'unreadable',
  'wrong-type': 'unreadable',
  redirect: 'redirect',
  'no-image': 'no-image',
};

/** Defines the tests that every direct protocol passes: failures, cancellation and ping. */
export function testDirectProtocol(at: Bench, protocol: Protocol, request: ProviderRequest): void {
  const rows = Object.entries(expected) as [FakeFailure, Failure][];

  test.each(rows)('%s → %s', async (fault, row) => {
    at.fake.fail(fault);
    const failed = await failure(at.provider, run(at.provider, request));
    expect(failed).toMatchObject(expectedFailure(row));
    // Only Temporal retries, and no redirect is followed.
    expect(at.fake.counts).toMatchObject({ submissions: 1, reads: 0 });
  });

  test('reports the Retry-After of a busy provider', async () => {
    at.fake.fail('busy');
    expect((await failure(at.provider, run(at.provider, request))).retryAfter).toBe(1000);
  });

  test('succeeds again after a failure', async () => {
    at.fake.fail('broken', { times: 1 });
    await failure(at.provider, run(at.provider, request));
    expect((await run(at.provider, request)).images).toHaveLength(1);
  });

  test.each(['silence', 'endless-job'] as const)('%s ends at the timeout of the call', async (fault) => {
    at.fake.fail(fault);
    const hungUp = at.fake.hungUp();
    const call = run(at.provider, request, AbortSignal.timeout(200));
    expect(await failure(at.provider, call)).toMatchObject(expectedFailure('no-response'));
    await hungUp;
  });

  test('a canceled call closes its connection immediately', async () => {
    at.fake.hold();
    const controller = new AbortController();
    const hungUp = at.fake.hungUp();
    const call = run(at.provider, request, controller.signal);
    const settled = Promise.allSettled([call]);
    while (at.fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort(new Error('canceled'));
    expect((await settled)[0]).toMatchObject({ status: 'rejected' });
    await hungUp;
  });

  test('a call canceled before it starts sends no request', async () => {
    await expect(run(at.provider, request, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');
    expect(at.fake.requests).toEqual([]);
  });

  test('returns oversized images and files that are not images unchanged', async () => {
    at.fake.fail('huge-image', { times: 1 });
    const { images } = await run(at.provider, request);
    expect(await measure(images[0])).toMatchObject({ width: 9000, height: 8000 });
    at.fake.fail('not-an-image');
    const { images: texts } = await run(at.provider, request);
    expect(Buffer.from(texts[0] as Uint8Array).toString()).toBe('This is no picture at all.');
  });

  test('does not repeat a wrong key that the provider quotes', async () => {
    const provider = connect(protocol, at.fake.url, `${apiKey}-old`);
    expect(await failure(provider, run(provider, request))).toMatchObject(expectedFailure('key-rejected'));
    await provider.close();
  });

  test('classifies a port without a listener, and an unknown host name', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const [baseUrl, row] of [
      [`http://127.0.0.1:${port}/v1`, 'connection-refused'],
      ['http://models.invalid/v1', 'unknown-host'],
    ] as const) {
      const provider = connect(protocol, baseUrl);
      expect(await failure(provider, run(provider, request))).toMatchObject(expectedFailure(row));
      await provider.close();
    }
  });

  test('rejects an address that contains a key, without repeating it', () => {
    const baseUrl = `https://me:${apiKey}@models.example/v1`;
    expect(() => connect(protocol, baseUrl)).toThrow('The address of an engine must be http(s)://host/path');
    expect(() => connect(protocol, baseUrl)).not.toThrow(/example|sk-/);
  });

  describe('ping', () => {
    const { signal } = new AbortController();

    test('reads a list and submits nothing', async () => {
      await at.provider.ping(signal);
      expect(at.fake.counts).toMatchObject({ submissions: 0, reads: 1 });
    });

    test.each(['bad-key', 'busy', 'html', 'malformed', 'wrong-type', 'redirect', 'reset', 'cut'] as const)(
      '%s',
      async (fault) => {
        at.fake.fail(fault);
        const row = expected[fault] ?? 'server-error';
        expect(await failure(at.provider, at.provider.ping(signal))).toMatchObject(expectedFailure(row));
      },
    );
  });
}
