/** Destinations of webhooks that fail for long are paused, reported, and resumed by a success or on request. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { destinationOf } from '../../store/destinations.ts';
import { call, create, ended } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { eventually } from '../support/eventually.ts';
import { operator } from '../support/operator.ts';
import { expectProblem } from '../support/problem.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(120_000);

let stack: Stack;
let contract: Contract;
const receivers: Receiver[] = [];

beforeAll(async () => {
  const schedule = '0s,500ms,500ms,500ms,500ms,500ms,500ms,500ms,1h';
  const env = { ATELIER_WEBHOOK_SCHEDULE: schedule, ATELIER_WEBHOOK_PAUSE_AFTER: '1s' };
  stack = await startSharedStack(timed({ selena: 0 }, env));
  contract = await readContract(stack.baseUrl);
});
afterAll(async () => {
  await stack.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

interface Attempt {
  status: number | null;
  error: string | null;
}

interface Destination {
  id: string;
  url: string;
  failures: number;
  lastError: string;
  pausedAt: string | null;
}

/** Starts a receiver that responds with the status that `state` has at the time. */
async function receiverOf(state: { status: number }): Promise<Receiver> {
  const receiver = await startReceiver((response) => void response.writeHead(state.status).end());
  receivers.push(receiver);
  return receiver;
}

const organization = () => `${stack.baseUrl}/v2/organizations/${stack.orgId}`;
const request = (path: string, method = 'GET', body?: object) =>
  call<{ items: never[] }>(path, { method, key: stack.adminKey, ...(body && { body }) });
const attempts = async (id: string): Promise<Attempt[]> =>
  (await request(`${stack.baseUrl}/v2/artworks/${id}/deliveries`)).body.items;
async function destination(url: string): Promise<Destination | undefined> {
  const response = await request(`${organization()}/webhook-destinations`);
  contract.check('GET', '/v2/organizations/{orgId}/webhook-destinations', response);
  return (response.body.items as Destination[]).find((one) => one.url === url);
}
const idOf = (webhookUrl: string) => destinationOf({ org: stack.orgId, environment: 'live', webhookUrl }).id;
const audit = async (url: string) => {
  const target = idOf(url);
  const { items } = (await request(`${organization()}/audit`)).body as { items: { action: string; target: string }[] };
  return items.filter((entry) => entry.target === target);
};

/** Creates an artwork whose receiver fails until its destination is paused. */
async function pause(state: { status: number }): Promise<{ receiver: Receiver; url: string; id: string }> {
  const receiver = await receiverOf(state);
  const { id } = await create(stack, { prompt: 'a boat', webhookUrl: `${receiver.url}?token=1` });
  await eventually(async () => expect((await destination(receiver.url))?.pausedAt).toEqual(expect.any(String)));
  return { receiver, url: receiver.url, id };
}

test('a paused destination gets no requests, and its attempts say so; a redelivery that succeeds resumes it', async () => {
  const state = { status: 503 };
  const { receiver, url, id } = await pause(state);
  const { id: name, failures, lastError } = (await destination(url))!;
  expect({ name, failures, lastError }).toEqual({
    name: idOf(url),
    failures: receiver.received.length,
    lastError: 'the receiver responded with 503',
  });
  expect(failures).toBeGreaterThanOrEqual(5);
  await eventually(async () => expect(await attempts(id)).toHaveLength(8));
  const skipped = (await attempts(id)).slice(failures);
  expect(skipped).not.toHaveLength(0);
  for (const { status, error } of skipped)
    expect({ status, error }).toEqual({ status: null, error: 'destination paused' });
  expect(receiver.received).toHaveLength(failures);
  expect(await audit(url)).toMatchObject([{ action: 'webhook_destination.paused', actor: 'service' }]);

  state.status = 200;
  expect((await request(`${stack.baseUrl}/v2/artworks/${id}/redeliver`, 'POST')).status).toBe(202);
  await eventually(async () => expect((await attempts(id)).at(-1)?.status).toBe(200));
  await eventually(async () => expect(await destination(url)).toBeUndefined());
  expect((await audit(url))[0]).toMatchObject({
    action: 'webhook_destination.resumed',
    actor: expect.stringMatching(/^key_/),
  });
  const next = await create(stack, { prompt: 'a boat', webhookUrl: receiver.url });
  await eventually(async () => expect(await attempts(next.id)).toMatchObject([{ status: 200 }]));
});

test('admins and operators resume a destination; other organizations and destinations are not affected', async () => {
  const state = { status: 500 };
  const { receiver, url, id } = await pause(state);
  const other = await receiverOf({ status: 200 });
  const { id: delivered } = await create(stack, { prompt: 'a boat', webhookUrl: other.url });
  await eventually(async () => expect(await attempts(delivered)).toMatchObject([{ status: 200 }]));

  state.status = 200;
  const resume = (body: object) => request(`${organization()}/webhook-destinations/resume`, 'POST', body);
  expectProblem(await resume({ id: 'dst_00000000000000000000000000' }), 'not_found');
  expect((await resume({ id: idOf(url) })).status).toBe(204);
  expectProblem(await resume({ id: idOf(url) }), 'not_found');
  expect((await audit(url))[0]).toMatchObject({
    action: 'webhook_destination.resumed',
    actor: expect.stringMatching(/^key_/),
  });
  const next = await create(stack, { prompt: 'a boat', webhookUrl: receiver.url });
  await eventually(async () => expect(await attempts(next.id)).toMatchObject([{ status: 200 }]));
  await ended(stack, id);

  const failing = await pause({ status: 404 });
  const listed = await operator(stack.env, '--json', 'destinations', 'list', stack.orgId);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ url: failing.url, lastError: 'the receiver responded with 404' }]);
  const resumed = await operator(stack.env, '--json', 'destinations', 'resume', stack.orgId, idOf(failing.url));
  expect(JSON.parse(resumed.stdout)).toEqual({ id: idOf(failing.url), resumed: true });
  expect((await audit(failing.url))[0]).toMatchObject({ action: 'webhook_destination.resumed', actor: 'operator' });
});

test('a deletion of an artwork also deletes its address', async () => {
  const { url, id } = await pause({ status: 500 });
  expect((await request(`${stack.baseUrl}/v2/artworks/${id}`, 'DELETE')).status).toBe(204);
  expect(await destination(url)).toBeUndefined();
  expect((await audit(url))[0]).toMatchObject({ action: 'webhook_destination.resumed', actor: 'service' });
});
