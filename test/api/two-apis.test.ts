/** Two APIs: a client may send each request about an artwork to either. With `npm run test:cluster`, they share no folder. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { photo } from '../../engines/local/test/photos.ts';
import { call, create, ended, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { follow } from '../support/follow.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { storedNames } from '../support/stored-files.ts';
import { endless, timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([
    startSharedStack({ apis: 2, ...timed({ hamilton: endless }) }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await stack.stop();
  await receiver.close();
});

const at = (api: 0 | 1) => ({ baseUrl: stack.baseUrls[api] ?? '', adminKey: stack.adminKey });
const send = <T>(api: 0 | 1, path: string, method = 'GET') =>
  call<T>(`${at(api).baseUrl}/v2/artworks/${path}`, { method, key: stack.adminKey });

const boat = () => ({ prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url });

test('uploaded at one, used and waited for at the other, downloaded from both', async () => {
  const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'image/jpeg' };
  const uploaded = await raw(at(0).baseUrl, {
    ...{ method: 'POST', path: '/v2/files', headers },
    body: [await photo('coffee')],
  });
  expect(uploaded.status).toBe(201);
  const { id: image } = uploaded.body as { id: string };
  const { status, body } = await call<ArtworkView>(`${at(1).baseUrl}/v2/artworks/upscaling`, {
    ...{ method: 'POST', key: stack.adminKey, headers: { prefer: 'wait=60' } },
    body: { image, scale: 2 },
  });
  expect([status, body.status]).toEqual([200, 'SUCCEEDED']);
  expect(await read(at(0), body.id)).toEqual(body);
  const { pathname, search } = new URL(body.images[0]!.url);
  for (const api of [0, 1] as const) {
    const response = await fetch(at(api).baseUrl + pathname + search);
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBe(body.images[0]!.bytes);
  }
});

test('followed at the other until it has ended', async () => {
  const { id } = await create(at(0), boat());
  const following = await follow(`${at(1).baseUrl}/v2/artworks/${id}/events`, stack.adminKey);
  expect((await following.until(({ id }) => id === 'end')).data['status']).toBe('SUCCEEDED');
  expect(await following.closed).toBe('ended');
});

test('canceled at the other while it is waited for', async () => {
  const waiting = call<ArtworkView>(`${at(0).baseUrl}/v2/artworks/hamilton`, {
    ...{ method: 'POST', key: stack.adminKey, headers: { prefer: 'wait=60' }, body: boat() },
  });
  const id = await eventually(async () => {
    const { body } = await send<{ items: ArtworkView[] }>(1, '');
    const started = body.items.find(({ operation, status }) => operation === 'hamilton' && status === 'PROCESSING');
    if (!started) throw new Error('not started yet');
    return started.id;
  });
  expect((await send(1, `${id}/cancel`, 'POST')).status).toBe(202);
  const { status, body } = await waiting;
  expect([status, body.id, body.status]).toEqual([200, id, 'CANCELED']);
  expect((await receiver.until(id)).map(({ event }) => event.type)).toEqual(['artwork.canceled']);
});

test('redelivered and deleted at the other', async () => {
  const { id } = await create(at(0), boat());
  await ended(at(1), id);
  const [first] = await receiver.until(id);
  expect((await send(1, `${id}/redeliver`, 'POST')).status).toBe(202);
  const [, second] = await receiver.until(id, 2);
  expect(second?.raw).toEqual(first?.raw);
  expect(await storedNames(stack, id)).toHaveLength(1);
  expect((await send(1, id, 'DELETE')).status).toBe(204);
  expectProblem(await send(0, id), 'not_found');
  await eventually(async () => expect(await storedNames(stack, id)).toEqual([]));
});

test('requests with one Idempotency-Key at both create one artwork', async () => {
  const headers = { 'idempotency-key': 'one order' };
  const responses = await Promise.all(
    ([0, 1, 0, 1] as const).map((api) =>
      call(`${at(api).baseUrl}/v2/artworks/selena`, { method: 'POST', key: stack.adminKey, body: boat(), headers }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  expect(new Set(responses.map(({ body }) => body['id'])).size).toBe(1);
});
