/** Providers in the whole service: success, outages, the next provider that takes over, and permanent failures. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { dataUri, smallPhoto } from '../../engines/local/test/photos.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, birefnet, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import type { FakeFailure, UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let fal: QueueFake;
let replicate: UpstreamFake;
let stack: Stack;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: {
      selena: [flux],
      quantum: [{ ...flux, timeout: '3s' }],
      hamilton: [{ ...flux, nsfw: false }, schnell],
      'remove-background': [{ ...birefnet, maxInputPixels: 10_000 }, { engine: 'local' }],
      'depth-map': [
        {
          engine: 'fal',
          model: 'fal-ai/depth',
          maxInputPixels: 10_000,
          input: { image_url: { from: 'image' } },
          output: { images: '/image/url' },
        },
      ],
      'selena-variete': [{ engine: 'fal', model: 'fal-ai/flux/dev', input: { image_url: { from: 'image' } } }],
    },
    deadlines: { quantum: '4s' },
  });
  stack = await startSharedStack(timed({}, env));
});
afterEach(() => {
  for (const fake of [fal, replicate]) {
    fake.fail(null);
    fake.release();
  }
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([fal.close(), replicate.close()]);
});

const body = { prompt: 'a boat on a lake', width: 512, height: 256, seed: 7 };
const submissions = () => [fal.counts.submissions, replicate.counts.submissions];

/** Creates an artwork whose submissions fail. Submissions of other tests succeed. */
async function createFailing(failure: FakeFailure, operation: string): Promise<{ id: string; prompt: string }> {
  const prompt = `a boat, number ${randomUUID()}`;
  fal.fail(failure, { at: 'submit', about: prompt });
  return { id: (await create(stack, { ...body, prompt }, operation)).id, prompt };
}

test.concurrent('an artwork whose provider is down waits, and its stage says so', async () => {
  const { id, prompt } = await createFailing('unavailable', 'selena');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  fal.fail(null, { about: prompt });
  const artwork = await ended(stack, id, 60_000);
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork).not.toHaveProperty('stage');
});

test.concurrent('an artwork that waits fails at its deadline', async () => {
  const { id } = await createFailing('unavailable', 'quantum');
  const artwork = await ended(stack, id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_unavailable', error: { status: 503 } });
});

test.concurrent('a submission with unreadable responses is repeated twice at most', async () => {
  const { id, prompt } = await createFailing('malformed', 'selena');
  const artwork = await ended(stack, id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_unavailable' });
  expect(fal.requests.filter((one) => (JSON.stringify(one.body) ?? '').includes(prompt))).toHaveLength(3);
});

test.concurrent('when the first provider is down, in any way, the next takes over', async () => {
  const failures: FakeFailure[] = ['unavailable', 'broken', 'busy', 'reset', 'html'];
  const made = await Promise.all(failures.map((failure) => createFailing(failure, 'hamilton')));
  for (const [index, { id }] of made.entries()) {
    const { status, images } = await ended(stack, id, 60_000);
    expect({ failure: failures[index], status, images }).toMatchObject({
      failure: failures[index],
      status: 'SUCCEEDED',
      images: [{ width: 512, height: 256, model: 'replicate/black-forest-labs/flux-schnell' }],
    });
  }
});

test('an artwork of a provider has its size, its seed and the name of its model', async () => {
  const artwork = await ended(stack, (await create(stack, { ...body, outputFormat: 'webp' })).id);
  expect(artwork).toMatchObject({
    status: 'SUCCEEDED',
    images: [{ width: 512, height: 256, contentType: 'image/webp', seed: 7, model: 'fal/fal-ai/flux/dev' }],
  });
  const submitted = fal.requests.filter(({ path }) => path === '/fal-ai/flux/dev').map((one) => one.body);
  expect(submitted).toContainEqual({
    prompt: 'a boat on a lake',
    image_size: { width: 512, height: 256 },
    seed: 7,
    enable_safety_checker: true,
  });
});

test('the embedded engine makes the artwork of a test key, and no provider is called', async () => {
  const before = submissions();
  const made = await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`, {
    method: 'POST',
    key: stack.adminKey,
    body: { label: 'test', scope: 'generator', domains: ['artworks-internal'], environment: 'test' },
  });
  const service = { baseUrl: stack.baseUrl, adminKey: String(made.body['apiKey']) };
  const artwork = await ended(service, (await create(service, body)).id);
  expect(artwork.images[0]?.model).toMatch(/^local\//);
  expect(submissions()).toEqual(before);
});

test('the stage of an artwork whose job runs is that of the plan', async () => {
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(async () => expect((await read(stack, id)).stage).toBe('generate'));
  fal.release();
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
});

test('a job that never ends is canceled at its provider, fails the artwork, and is not submitted again', async () => {
  const before = { ...fal.counts };
  fal.fail('endless-job');
  const artwork = await ended(stack, (await create(stack, body, 'quantum')).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_timeout' });
  expect(fal.counts.submissions - before.submissions).toBe(1);
  await eventually(() => expect(fal.counts.cancels - before.cancels).toBe(1));
});

test.each<[FakeFailure, ErrorCode]>([
  ['bad-request', 'provider_rejected'],
  ['moderation', 'content_refused'],
  ['failed-job', 'provider_rejected'],
])('a request that the first provider rejects (%s) is not sent to the next', async (failure, code) => {
  const [, before] = submissions();
  fal.fail(failure);
  const artwork = await ended(stack, (await create(stack, body, 'hamilton')).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: code });
  expect(submissions()[1]).toBe(before);
  expect(JSON.stringify(artwork)).not.toContain(apiKey);
});

test('a refusal does not advise "nsfw": true to a client that has sent it', async () => {
  fal.fail('moderation');
  const messageFor = async (nsfw: boolean) =>
    (await ended(stack, (await create(stack, { ...body, nsfw })).id)).error?.message;
  expect(await messageFor(false)).toContain('or allow it with "nsfw": true');
  expect(await messageFor(true)).toBe('The model refuses this content, also with "nsfw": true. Change the request.');
});

test('a request with "nsfw": true goes to the engine whose model accepts it', async () => {
  const [falBefore] = submissions();
  const { id } = await create(stack, { ...body, nsfw: true }, 'hamilton');
  expect((await ended(stack, id, 60_000)).images[0]?.model).toMatch(/^replicate\//);
  expect(submissions()[0]).toBe(falBefore);
});

test('an image too large for a provider goes to the next engine, or is rejected, before it is paid for', async () => {
  const before = submissions();
  const image = dataUri(await smallPhoto('coffee'));
  const run = async (operation: string) => ended(stack, (await create(stack, { image }, operation)).id);
  expect((await run('remove-background')).status).toBe('SUCCEEDED');
  expect(submissions()).toEqual(before);
  const message = 'The model accepts images of at most 10000 pixels. Send a smaller image, or choose a smaller size.';
  expect(await run('depth-map')).toMatchObject({ errorCode: 'input_invalid', error: { status: 422, message } });
  expect(submissions()).toEqual(before);
});

test('an artwork waits for the provider that has accepted its job while the provider is unreachable', async () => {
  const [falBefore, replicateBefore] = submissions();
  fal.hold();
  const { id } = await create(stack, body, 'hamilton');
  await eventually(() => expect(fal.counts.submissions).toBe(falBefore! + 1));
  fal.fail('unavailable', { at: 'poll' });
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  // Longer than the quick attempts take.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  fal.fail(null);
  fal.release();
  expect((await ended(stack, id, 60_000)).images[0]?.model).toMatch(/^fal\//);
  expect(submissions()).toEqual([falBefore! + 1, replicateBefore]);
});

test('the stage is not a wait while the next provider works', async () => {
  fal.fail('unavailable');
  replicate.hold();
  const { id } = await create(stack, body, 'hamilton');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  await eventually(async () => expect((await read(stack, id)).stage).toBe('generate'));
  replicate.release();
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});

test('a seamless style fails where no model can tile', async () => {
  const refused = await ended(stack, (await create(stack, { ...body, style: 'infiny-weave' })).id);
  expect(refused).toMatchObject({
    errorCode: 'input_invalid',
    error: { message: expect.stringContaining('"seamless"') },
  });
});

test('when all providers are down, the first that recovers makes the artwork', async () => {
  for (const fake of [fal, replicate]) fake.fail('unavailable');
  const { id } = await create(stack, body, 'hamilton');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  replicate.fail(null);
  expect((await ended(stack, id, 60_000)).images[0]?.model).toMatch(/^replicate\//);
});

test('rejects a field that no engine of the model supports, without a call', async () => {
  const before = submissions();
  const refused = await ended(stack, (await create(stack, { ...body, negativePrompt: 'fog' })).id);
  expect(refused).toMatchObject({
    errorCode: 'input_invalid',
    error: { message: 'The model for this request does not support "negativePrompt". Leave it out.' },
  });
  expect(submissions()).toEqual(before);
});

test('a job that its provider has lost is submitted once more', async () => {
  const before = { ...fal.counts };
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(() => expect(fal.counts.submissions - before.submissions).toBe(1));
  fal.fail('lost-job', { times: 1 });
  await eventually(() => expect(fal.counts.submissions - before.submissions).toBe(2), 60_000);
  fal.release();
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});

test('a provider that loses each job gets two submissions', async () => {
  const before = { ...fal.counts };
  fal.fail('lost-job');
  const artwork = await ended(stack, (await create(stack, body)).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected' });
  expect(fal.counts.submissions - before.submissions).toBe(2);
});

test('when one of two images fails, the job of the other is canceled at its provider', async () => {
  const before = { ...fal.counts };
  fal.hold();
  const { id } = await create(stack, { ...body, numImages: 2 });
  await eventually(() => expect(fal.counts.submissions - before.submissions).toBe(2));
  fal.fail('bad-key', { times: 1, at: 'poll' });
  expect(await ended(stack, id, 60_000)).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected' });
  await eventually(() => expect(fal.counts.cancels - before.cancels).toBeGreaterThanOrEqual(1));
});
