/** Shared by the tests of queue providers: a provider connected to its fake, and functions that call it. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import sharp from 'sharp';
import { EngineError } from '../../../engines/contract/index.ts';
import type { JobState, Protocol, QueueProvider } from '../../../engines/upstream/provider.ts';
import type { InputImage, Task } from '../../../schemas/tasks.ts';
import type { UpstreamFake } from '../../upstreams/upstream-fake.ts';

export const apiKey = 'k3y-N0tForAnyonesEyes';
export const prompt = 'a secret garden behind the villa';

export interface Bench {
  fake: UpstreamFake;
  provider: QueueProvider;
}

/** Exists for the whole test file. The properties are set when tests run. */
export function bench(protocol: Protocol, start: (options: { apiKey: string }) => Promise<UpstreamFake>): Bench {
  const made = {} as Bench;
  beforeAll(async () => {
    made.fake = await start({ apiKey });
    const provider = protocol.connect({ name: 'upstream', baseUrl: made.fake.url, apiKey });
    if (provider.kind !== 'queue') throw new Error('The provider is not a queue provider');
    made.provider = provider;
  });
  afterEach(() => {
    made.fake.fail(null);
    made.fake.release();
  });
  afterAll(async () => {
    await made.provider.close();
    await made.fake.close();
  });
  return made;
}

/** No other attempt takes over a call of these tests. */
const confirmed = () => Promise.resolve();

/** Milliseconds that a job may take. */
export const timeout = 90_000;

/** Returns a signal that aborts later than any test should take. */
export const generousTimeout = () => AbortSignal.timeout(30_000);

export function submit(
  { provider }: Bench,
  model: string,
  input: Record<string, unknown>,
  { task = 'text-to-image', signal = generousTimeout() }: { task?: Task; signal?: AbortSignal } = {},
): Promise<string> {
  const request = { model, task, input, timeout, idempotencyKey: 'art_1-result', confirm: confirmed };
  return provider.submit(request, signal);
}

/** Submits a job and polls it once. @throws Error when it is not done */
export async function run(
  at: Bench,
  model: string,
  input: Record<string, unknown>,
  options: { task?: Task; signal?: AbortSignal } = {},
): Promise<unknown> {
  const state: JobState = await at.provider.poll(model, await submit(at, model, input, options), generousTimeout());
  if (state.state !== 'done') throw new Error('The job is not done');
  return state.output;
}

/** Returns the classified error of a failed call. @throws Error when the call succeeds */
export async function failure({ provider }: Bench, call: () => Promise<unknown>): Promise<EngineError> {
  const failed = await call().then(
    () => null,
    (error: unknown) => provider.explain(error),
  );
  if (!failed) throw new Error('The call succeeded');
  return failed;
}

/** Expects that the printed error contains no key, address or prompt, and none of the provider's words. */
export function expectNoSecrets(error: Error): void {
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), error.stack].join('\n');
  for (const secret of [apiKey, 'garden', '127.0.0.1', 'http:', 'https:', 'balance', 'throttled', 'signature=']) {
    expect(printed).not.toContain(secret);
  }
}

export function expectExplained(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.cause).toBeUndefined();
  expect(error.publicMessage).toBeUndefined();
  expect(error.message.length).toBeLessThan(80);
  expectNoSecrets(error);
}

/** Returns a PNG. @param isLarge whether it is too large for a data URI: noise of hundreds of kilobytes */
export async function image({ isLarge = false } = {}): Promise<InputImage> {
  const side = isLarge ? 512 : 64;
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const background = { r: 200, g: 80, b: 40 };
  const create = { width: side, height: side, channels: 3, background, ...(isLarge && { noise }) } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  return { bytes, contentType: 'image/png', width: side, height: side };
}
