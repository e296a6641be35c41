/** Providers behind the front door: the good way, one that is down, the next that takes over, and what is final. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { FakeFailure, UpstreamFake } from '../upstreams/upstream-fake.ts';

let fal: UpstreamFake;
let replicate: UpstreamFake;
let stack: Stack;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: {
      selena: [flux],
      quantum: [{ ...flux, timeout: '3s' }],
      hamilton: [flux, schnell],
      'selena-variete': [{ engine: 'fal', model: 'fal-ai/flux/dev', input: { image_url: { from: 'image' } } }],
    },
    deadlines: { quantum: '4s' },
  });
  stack = await startSharedStack({ env });
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

test('an artwork of a provider: its size, its seed, its model by name', async () => {
  const artwork = await ended(stack, (await create(stack, { ...body, outputFormat: 'webp' })).id);
  expect(artwork).toMatchObject({
    status: 'SUCCEEDED',
    images: [{ width: 512, height: 256, contentType: 'image/webp', seed: 7, model: 'fal/fal-ai/flux/dev' }],
  });
  expect(fal.requests.find(({ path }) => path === '/fal-ai/flux/dev')?.body).toEqual({
    prompt: 'a boat on a lake',
    image_size: { width: 512, height: 256 },
    seed: 7,
    enable_safety_checker: true,
  });
});

test('a test key’s artwork costs nothing: the embedded engine makes it', async () => {
  const before = submissions();
  const made = await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`, {
    method: 'POST',
    key: stack.adminKey,
    body: { label: 'try', scope: 'generator', domains: ['artworks-internal'], environment: 'test' },
  });
  const service = { baseUrl: stack.baseUrl, adminKey: String(made.body['apiKey']) };
  const artwork = await ended(service, (await create(service, body)).id);
  expect(artwork.images[0]?.model).toMatch(/^local\//);
  expect(submissions()).toEqual(before);
});

test('while a provider is down its artworks wait, and say so', async () => {
  fal.fail('unavailable');
  const { id } = await create(stack, body);
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  fal.fail(null);
  const artwork = await ended(stack, id, 60_000);
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork).not.toHaveProperty('stage');
});

test('while a job runs, the stage is that of the plan', async () => {
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(async () => expect((await read(stack, id)).stage).toBe('generate'));
  fal.release();
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
});

test('at the deadline an artwork that waits has failed', async () => {
  fal.fail('unavailable');
  const artwork = await ended(stack, (await create(stack, body, 'quantum')).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_unavailable', error: { status: 503 } });
});

test('a job that never ends is ended, there and here, and is not bought again', async () => {
  const before = { ...fal.counts };
  fal.fail('endless-job');
  const artwork = await ended(stack, (await create(stack, body, 'quantum')).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_timeout' });
  expect(fal.counts.submissions - before.submissions).toBe(1);
  await eventually(() => expect(fal.counts.cancels - before.cancels).toBe(1));
});

test.each<FakeFailure>(['unavailable', 'broken', 'busy', 'reset', 'html'])(
  'when the first is down (%s) the next takes over',
  async (failure) => {
    fal.fail(failure);
    const artwork = await ended(stack, (await create(stack, body, 'hamilton')).id, 60_000);
    expect(artwork).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 512, height: 256 }] });
    expect(artwork.images[0]?.model).toBe('replicate/black-forest-labs/flux-schnell');
  },
);

test.each<[FakeFailure, ErrorCode]>([
  ['bad-request', 'provider_rejected'],
  ['moderation', 'content_refused'],
  ['failed-job', 'provider_rejected'],
])('what the first refuses (%s) the next is not asked for', async (failure, code) => {
  const [, before] = submissions();
  fal.fail(failure);
  const artwork = await ended(stack, (await create(stack, body, 'hamilton')).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: code });
  expect(submissions()[1]).toBe(before);
  expect(JSON.stringify(artwork)).not.toContain(apiKey);
});

test('a provider that has the job is not left for the next, however long it cannot be asked', async () => {
  const [falBefore, replicateBefore] = submissions();
  fal.hold();
  const { id } = await create(stack, body, 'hamilton');
  await eventually(() => expect(fal.counts.submissions).toBe(falBefore! + 1));
  fal.fail('unavailable', { at: 'look' });
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  // Longer than the quick tries take.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  fal.fail(null);
  fal.release();
  expect((await ended(stack, id, 60_000)).images[0]?.model).toMatch(/^fal\//);
  expect(submissions()).toEqual([falBefore! + 1, replicateBefore]);
});

test('answers that cannot be read are not bought for ever', async () => {
  const [before] = submissions();
  fal.fail('malformed', { at: 'submit' });
  const artwork = await ended(stack, (await create(stack, body)).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_unavailable' });
  expect(submissions()[0]! - before!).toBe(3);
});

test('a stand-in at work is no wait', async () => {
  fal.fail('unavailable');
  replicate.hold();
  const { id } = await create(stack, body, 'hamilton');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  await eventually(async () => expect((await read(stack, id)).stage).toBe('generate'));
  replicate.release();
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
});

test('a style that is to tile goes to no model that cannot', async () => {
  const refused = await ended(stack, (await create(stack, { ...body, style: 'infiny-weave' })).id);
  expect(refused).toMatchObject({
    errorCode: 'input_invalid',
    error: { message: expect.stringContaining('"seamless"') },
  });
});

test('when all are down the first that is back makes it', async () => {
  for (const fake of [fal, replicate]) fake.fail('unavailable');
  const { id } = await create(stack, body, 'hamilton');
  await eventually(async () => expect((await read(stack, id)).stage).toBe('waiting for provider'));
  replicate.fail(null);
  expect((await ended(stack, id, 60_000)).images[0]?.model).toMatch(/^replicate\//);
});

test('a field that only a later engine can honour goes there at once; one that none can is refused', async () => {
  const before = submissions();
  const refused = await ended(stack, (await create(stack, { ...body, negativePrompt: 'fog' })).id);
  expect(refused).toMatchObject({
    errorCode: 'input_invalid',
    error: { message: 'The model that makes this cannot honour "negativePrompt". Leave it out.' },
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

test('a provider that loses each job is not paid for ever', async () => {
  const before = { ...fal.counts };
  fal.fail('lost-job');
  const artwork = await ended(stack, (await create(stack, body)).id, 60_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected' });
  expect(fal.counts.submissions - before.submissions).toBe(2);
});

test('of two images one fails: the other’s job is ended at its provider', async () => {
  const before = { ...fal.counts };
  fal.hold();
  const { id } = await create(stack, { ...body, numImages: 2 });
  await eventually(() => expect(fal.counts.submissions - before.submissions).toBe(2));
  fal.fail('bad-key', { times: 1, at: 'look' });
  expect(await ended(stack, id, 60_000)).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected' });
  await eventually(() => expect(fal.counts.cancels - before.cancels).toBeGreaterThanOrEqual(1));
});
