/** An artwork from the POST to the picture, the signed webhook and the read. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { call, create, ended, read } from './support/client.ts';
import { joinService } from './support/shared.ts';
import type { Service } from './support/stack.ts';

// Other test files use the same worker.
jest.setTimeout(120_000);

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('embedded'), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
});

test.each(['selena', 'quantum', 'hamilton'])('%s: from the request to the verified webhook', async (family) => {
  const accepted = await create(
    service,
    {
      prompt: 'a red fox in a snowy forest',
      width: 256,
      height: 320,
      webhookUrl: receiver.url,
      metadata: { order: '7' },
    },
    family,
  );
  expect(accepted).toMatchObject({ status: 'STARTING', operation: family });
  const [delivery] = await receiver.until(accepted.id);
  expect(new Webhook(service.webhookSecret).verify(delivery!.raw, delivery!.headers as Record<string, string>)).toEqual(
    delivery!.event,
  );
  const artwork = await read(service, accepted.id);
  const { type, eventId, timestamp, ...rest } = delivery!.event;
  expect(rest).toEqual(artwork);
  expect({ type, timestamp }).toEqual({ type: 'artwork.succeeded', timestamp: artwork.finishedAt });
  expect(eventId).toMatch(/^evt_/);
  expect(artwork).toMatchObject({
    status: 'SUCCEEDED',
    error: null,
    errorCode: null,
    prompt: 'a red fox in a snowy forest',
    metadata: { order: '7' },
    images: [{ width: 256, height: 320, contentType: 'image/png', role: 'image', model: 'local/sketch' }],
  });
  const image = await fetch(artwork.images[0]!.url);
  const bytes = Buffer.from(await image.arrayBuffer());
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(bytes.byteLength).toBe(artwork.images[0]!.bytes);
});

test('seer sends an enhanced prompt, which the artwork shows', async () => {
  const { id } = await create(service, { prompt: 'a boat', promptMode: 'seer', width: 256, height: 256 });
  const artwork = await ended(service, id);
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork.prompt).toContain('boat');
  expect(artwork.prompt!.length).toBeGreaterThan('a boat'.length);
  expect(artwork.input).toMatchObject({ prompt: 'a boat', promptMode: 'seer' });
});

test('the same seed gives the same bytes; another seed gives others', async () => {
  const body = { prompt: 'a lighthouse', width: 256, height: 256 };
  const made = await Promise.all(
    [{ seed: 5 }, { seed: 5 }, { seed: 6 }].map((seed) => create(service, { ...body, ...seed })),
  );
  const [first, second, third] = await Promise.all(made.map(({ id }) => ended(service, id)));
  expect(second!.images[0]!.sha256).toBe(first!.images[0]!.sha256);
  expect(third!.images[0]!.sha256).not.toBe(first!.images[0]!.sha256);
  expect(first!.images[0]!.seed).toBe(5);
});

test('numImages makes that many images, each with the next seed', async () => {
  const { id } = await create(service, { prompt: 'a cat', numImages: 3, seed: 4294967295, width: 256, height: 256 });
  const artwork = await ended(service, id);
  expect(artwork.images.map(({ seed }) => seed)).toEqual([4294967295, 0, 1]);
  expect(new Set(artwork.images.map(({ sha256 }) => sha256)).size).toBe(3);
});

test('content that is not allowed fails after the 202 and sends an event of the failure', async () => {
  const { id } = await create(service, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  const [delivery] = await receiver.until(id);
  expect(delivery!.event).toMatchObject({
    type: 'artwork.failed',
    status: 'FAILED',
    errorCode: 'content_refused',
    images: [],
  });
  expect(delivery!.event['error']).toEqual({ status: 422, message: expect.any(String) });
});

test('the artwork of a test key and its event name the environment', async () => {
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  for (const environment of ['live', 'test']) {
    const fields = { label: environment, scope: 'generator', domains: ['artworks-internal'], environment };
    const made = await call(keys, { method: 'POST', key: service.adminKey, body: fields });
    const owner = { ...service, adminKey: String(made.body['apiKey']) };
    const { id } = await create(owner, { prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url });
    const [delivery] = await receiver.until(id);
    expect([delivery!.event['environment'], (await read(owner, id)).environment]).toEqual([environment, environment]);
  }
});

test('an artwork is private to its organization and, for generators, to its key', async () => {
  const { id } = await create(service, { prompt: 'a boat', width: 256, height: 256 });
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const make = async (scope: string) => {
    const body = { label: scope, scope, domains: ['artworks-internal'] };
    return (await call(keys, { method: 'POST', key: service.adminKey, body })).body['apiKey'] as string;
  };
  const [generator, manager] = [await make('generator'), await make('manager')];
  expect((await call(`${service.baseUrl}/v2/artworks/${id}`, { key: generator })).status).toBe(404);
  expect((await call(`${service.baseUrl}/v2/artworks/${id}`, { key: manager })).status).toBe(200);
});
