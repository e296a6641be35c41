/** Shared by the tests of ComfyUI: a fake with a client, templates, and helpers that run a job. */
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { EngineError } from '../../../../engines/contract/index.ts';
import { comfyui } from '../../../../engines/upstream/comfyui/protocol.ts';
import type { JobRequest, QueueProvider } from '../../../../engines/upstream/provider.ts';
import type { InputImage, Task } from '../../../../schemas/tasks.ts';
import { drawn } from '../../../support/pictures.ts';
import { type ComfyuiFake, type ComfyuiOptions, startComfyui } from '../../../upstreams/comfyui.ts';

export const apiKey = 'own-key-0815';

const folder = join(import.meta.dirname, '../../../../docs/engines');

/** Returns the path of a template. @param name path in `docs/engines/`, as in the example file */
export const template = (name: string) => join(folder, name);

export async function picture(width = 96, height = 64): Promise<InputImage> {
  return { bytes: await drawn(width, height).png().toBuffer(), contentType: 'image/png', width, height };
}

export const painting = {
  checkpoint: 'sd_xl_base_1.0.safetensors',
  prompt: 'a secret garden',
  negative: '',
  width: 256,
  height: 320,
  seed: 4711,
};

export const request = (rest: Partial<JobRequest> = {}): JobRequest => ({
  model: template('comfyui/text-to-image.json'),
  task: 'text-to-image' satisfies Task,
  input: painting,
  idempotencyKey: 'art_1/image-1',
  timeout: 90_000,
  confirm: () => Promise.resolve(),
  ...rest,
});

/** Returns a signal that aborts later than any test should take. */
export const generousTimeout = () => AbortSignal.timeout(60_000);

/** Submits a job and polls it until it is done, as `runJob` does. */
export async function run(
  provider: QueueProvider,
  request: JobRequest,
  signal = generousTimeout(),
): Promise<Uint8Array[]> {
  const id = await provider.submit(request, signal);
  return images(provider, id, signal);
}

export async function images(provider: QueueProvider, id: string, signal = generousTimeout()): Promise<Uint8Array[]> {
  for (;;) {
    const job = await provider.poll('', id, signal);
    if (job.state === 'done') return (job.output as { images: Uint8Array[] }).images;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns the classified error of a failed call. @throws Error when it succeeds */
export function failure(provider: QueueProvider, work: Promise<unknown>): Promise<EngineError> {
  return work.then(
    () => {
      throw new Error('The call succeeded');
    },
    (error: unknown) => provider.explain(error),
  );
}

/** Starts a fake and a client of it for each test. The properties are set when tests run. */
export function bench(options: ComfyuiOptions = {}) {
  const at = {} as { fake: ComfyuiFake; provider: QueueProvider };
  beforeEach(async () => {
    at.fake = await startComfyui(options);
    at.provider = connect(at.fake.url, options.apiKey);
  });
  afterEach(async () => {
    await at.provider.close();
    await at.fake.close();
  });
  return at;
}

export function connect(baseUrl: string, key: string | undefined): QueueProvider {
  const provider = comfyui.connect({ name: 'comfyui', baseUrl, apiKey: key });
  if (provider.kind !== 'queue') throw new Error('ComfyUI is not a queue provider');
  return provider;
}
