/** Shared by the tests of direct providers: a provider connected to its fake, and functions that call it. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import sharp from 'sharp';
import { EngineError } from '../../../engines/contract/index.ts';
import { type Failure, failures } from '../../../engines/upstream/failures.ts';
import type { DirectProvider, Protocol, ProviderRequest } from '../../../engines/upstream/provider.ts';
import type { InputImage } from '../../../schemas/tasks.ts';
import type { DirectFake } from '../../upstreams/direct-fake.ts';
import { fakePicture } from '../../upstreams/fake-pictures.ts';

export const apiKey = 'sk-proj-N0tForAnyonesEyes';

export interface Bench {
  fake: DirectFake;
  provider: DirectProvider;
}

export function connect(protocol: Protocol, baseUrl: string, key: string | undefined = apiKey): DirectProvider {
  const provider = protocol.connect({ name: 'house', baseUrl, apiKey: key });
  if (provider.kind !== 'direct') throw new Error('The provider is not a direct provider');
  return provider;
}

/** Exists for the whole test file. The properties are set when tests run. */
export function bench(protocol: Protocol, start: () => Promise<DirectFake>): Bench {
  const made = {} as Bench;
  const warned = jest.spyOn(process, 'emitWarning');
  beforeAll(async () => {
    made.fake = await start();
    made.provider = connect(protocol, made.fake.url);
  });
  afterEach(() => {
    made.fake.reset();
    // The SDK prints a warning for each field that it drops.
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

export const run = async (provider: DirectProvider, request: ProviderRequest, signal = new AbortController().signal) =>
  (await provider.run(request, signal)) as { images: (Uint8Array | string)[] };

export const measure = (image: Uint8Array | string | undefined) => sharp(image as Uint8Array).metadata();

/** Returns the classified error of a failed call. @throws Error when the call succeeds */
export async function failure(provider: DirectProvider, call: Promise<unknown>): Promise<EngineError> {
  const failed = await call.then(
    () => null,
    (error: unknown) => provider.explain(error),
  );
  if (!failed) throw new Error('The call succeeded');
  expectNoSecrets(failed);
  return failed;
}

/** Expects that the printed error contains no key, address or prompt, and none of the provider's words. */
function expectNoSecrets(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.cause).toBeUndefined();
  expect(error.publicMessage).toBeUndefined();
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.stack].join('\n');
  for (const secret of [apiKey, 'secret garden', '127.0.0.1', 'http:', 'org-4711', 'generateContent', 'generations']) {
    expect(printed).not.toContain(secret);
  }
}

/** Returns a matcher for the code and the message of a failure, with or without a status. */
export const expectedFailure = (row: Failure) => ({
  code: failures[row][0],
  message: expect.stringMatching(new RegExp(`^house ${failures[row][1]}( \\(\\d+\\))?$`, 'u')) as unknown as string,
});
