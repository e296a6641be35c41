/** A direct protocol before a fake of its provider, and what all of its kind are held to. */
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { EngineError } from '../../../engines/engine.ts';
import { type Failure, failures } from '../../../engines/upstream/failures.ts';
import type { DirectProvider, Protocol, ProviderRequest } from '../../../engines/upstream/provider.ts';
import type { InputImage } from '../../../schemas/tasks.ts';
import type { DirectFake } from '../../upstreams/direct-fake.ts';
import { fakePicture } from '../../upstreams/fake-pictures.ts';
import type { FakeFailure } from '../../upstreams/upstream-fake.ts';

export const apiKey = 'sk-proj-N0tForAnyonesEyes';

export interface Bench {
  fake: DirectFake;
  provider: DirectProvider;
}

export function connect(protocol: Protocol, baseUrl: string, key: string | undefined = apiKey): DirectProvider {
  const provider = protocol.connect({ name: 'house', baseUrl, apiKey: key });
  if (provider.kind !== 'direct') throw new Error('Not a direct one');
  return provider;
}

/** Stands for the test file's life. The properties are there when tests run. */
export function bench(protocol: Protocol, start: () => Promise<DirectFake>): Bench {
  const made = {} as Bench;
  const warned = jest.spyOn(process, 'emitWarning');
  beforeAll(async () => {
    made.fake = await start();
    made.provider = connect(protocol, made.fake.url);
  });
  afterEach(() => {
    made.fake.reset();
    // The SDK prints what it drops.
    expect(warned.mock.calls.filter(([text]) => String(text).includes('AI SDK'))).toEqual([]);
  });
  afterAll(async () => {
    await made.provider.close();
    await made.fake.close();
  });
  return made;
}

export async function picture(width: number, height: number, format: 'png' | 'jpeg' = 'png'): Promise<InputImage> {
  return { bytes: await fakePicture({ width, height, format }), contentType: `image/${format}`, width, height };
}

export const request = (model: string, input: object, task: ProviderRequest['task'] = 'text-to-image') =>
  ({ model, task, input: { ...input }, idempotencyKey: 'art_1-image' }) satisfies ProviderRequest;

export const run = async (provider: DirectProvider, asked: ProviderRequest, signal = new AbortController().signal) =>
  (await provider.run(asked, signal)) as { images: (Uint8Array | string)[] };

export const measure = (image: Uint8Array | string | undefined) => sharp(image as Uint8Array).metadata();

/** @throws Error when the call succeeds */
export async function failure(provider: DirectProvider, call: Promise<unknown>): Promise<EngineError> {
  const failed = await call.then(
    () => null,
    (error: unknown) => provider.explain(error),
  );
  if (!failed) throw new Error('The call succeeded');
  expectSilence(failed);
  return failed;
}

/** No key, address or prompt, and none of the provider's words, however an error is printed. */
function expectSilence(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.cause).toBeUndefined();
  expect(error.publicMessage).toBeUndefined();
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.stack].join('\n');
  for (const secret of [apiKey, 'secret garden', '127.0.0.1', 'http:', 'org-4711', 'generateContent', 'generations']) {
    expect(printed).not.toContain(secret);
  }
}

/** What each failure of a provider comes to, whichever it is. */
const expected: Partial<Record<FakeFailure, Failure>> = {
  'bad-request': 'invalid',
  'bad-key': 'no-access',
  forbidden: 'no-access',
  unpaid: 'unpaid',
  'not-found': 'not-found',
  moderation: 'refused',
  busy: 'busy',
  quota: 'no-quota',
  broken: 'broken',
  unavailable: 'broken',
  'gateway-timeout': 'slow',
  html: 'broken',
  reset: 'cut-off',
  cut: 'cut-off',
  malformed: 'unreadable',
  'wrong-type': 'unreadable',
  redirect: 'elsewhere',
  'no-image': 'no-image',
};

export const saying = (row: Failure) => ({
  code: failures[row][0],
  message: expect.stringMatching(new RegExp(`^house ${failures[row][1]}( \\(\\d+\\))?$`, 'u')) as unknown as string,
});

/** The failures that a direct protocol can have, and how it is stopped. */
export function behavesLikeAnyOther(at: Bench, protocol: Protocol, asked: ProviderRequest): void {
  const rows = Object.entries(expected) as [FakeFailure, Failure][];

  test.each(rows)('%s → %s', async (told, row) => {
    at.fake.fail(told);
    const failed = await failure(at.provider, run(at.provider, asked));
    expect(failed).toMatchObject(saying(row));
    // Who tries again is Temporal; and nobody is sent elsewhere.
    expect(at.fake.counts).toMatchObject({ submissions: 1, looks: 0 });
  });

  test('a busy provider says when to come back', async () => {
    at.fake.fail('busy');
    expect((await failure(at.provider, run(at.provider, asked))).retryAfter).toBe(1000);
  });

  test('a failure passes', async () => {
    at.fake.fail('broken', { times: 1 });
    await failure(at.provider, run(at.provider, asked));
    expect((await run(at.provider, asked)).images).toHaveLength(1);
  });

  test.each(['silence', 'endless-job'] as const)('%s ends with the caller’s time', async (told) => {
    at.fake.fail(told);
    const hungUp = at.fake.hungUp();
    const call = run(at.provider, asked, AbortSignal.timeout(200));
    expect(await failure(at.provider, call)).toMatchObject(saying('silent'));
    await hungUp;
  });

  test('who is stopped hangs up at once', async () => {
    at.fake.hold();
    const controller = new AbortController();
    const hungUp = at.fake.hungUp();
    const call = run(at.provider, asked, controller.signal);
    const settled = Promise.allSettled([call]);
    while (at.fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort(new Error('canceled'));
    expect((await settled)[0]).toMatchObject({ status: 'rejected' });
    await hungUp;
  });

  test('who was stopped before asks nothing', async () => {
    await expect(run(at.provider, asked, AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled');
    expect(at.fake.requests).toEqual([]);
  });

  test('an image of any size and what is none are given on as they came', async () => {
    at.fake.fail('huge-image', { times: 1 });
    const { images } = await run(at.provider, asked);
    expect(await measure(images[0])).toMatchObject({ width: 9000, height: 8000 });
    at.fake.fail('not-an-image');
    const { images: texts } = await run(at.provider, asked);
    expect(Buffer.from(texts[0] as Uint8Array).toString()).toBe('This is no picture at all.');
  });

  test('a wrong key, said by a provider that repeats it', async () => {
    const provider = connect(protocol, at.fake.url, `${apiKey}-old`);
    expect(await failure(provider, run(provider, asked))).toMatchObject(saying('no-access'));
    await provider.close();
  });

  test('a port that nobody listens on, and a name that nobody has', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const [baseUrl, row] of [
      [`http://127.0.0.1:${port}/v1`, 'closed-port'],
      ['http://models.invalid/v1', 'unknown-host'],
    ] as const) {
      const provider = connect(protocol, baseUrl);
      expect(await failure(provider, run(provider, asked))).toMatchObject(saying(row));
      await provider.close();
    }
  });

  test('an address with a key in it is refused without being repeated', () => {
    const baseUrl = `https://me:${apiKey}@models.example/v1`;
    expect(() => connect(protocol, baseUrl)).toThrow('The address of an engine is http(s)://host/path');
    expect(() => connect(protocol, baseUrl)).not.toThrow(/example|sk-/);
  });

  describe('ping', () => {
    const { signal } = new AbortController();

    test('reads a list and submits nothing', async () => {
      await at.provider.ping(signal);
      expect(at.fake.counts).toMatchObject({ submissions: 0, looks: 1 });
    });

    test.each(['bad-key', 'busy', 'html', 'malformed', 'wrong-type', 'redirect', 'reset', 'cut'] as const)(
      '%s',
      async (told) => {
        at.fake.fail(told);
        const row = expected[told] ?? 'broken';
        expect(await failure(at.provider, at.provider.ping(signal))).toMatchObject(saying(row));
      },
    );
  });
}
