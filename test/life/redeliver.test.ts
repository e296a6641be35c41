/** Clients redeliver an event at once or change its URL, and the schedule continues. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { call, create, ended, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

const hour = 3_600_000;
let stack: Stack;
let temporal: TemporalClient;
const receivers: Receiver[] = [];

beforeAll(async () => {
  const env = { ATELIER_WEBHOOK_SCHEDULE: '0s,1h,2h' };
  stack = await startSharedStack(timed({ selena: 0 }, env));
  temporal = await openTemporal(stack);
});
afterAll(async () => {
  await temporal.close();
  await stack.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

interface Attempt {
  attempt: number;
  at: string;
  url: string;
  status: number | null;
  durationMs: number;
  nextAt: string | null;
}

const request = (id: string, path: string, method = 'POST', body?: object) =>
  call<Record<string, unknown>>(`${stack.baseUrl}/v2/artworks/${id}${path}`, {
    ...{ method, key: stack.adminKey },
    ...(body && { body }),
  });
const redeliver = (id: string) => request(id, '/redeliver');
const changeUrl = (id: string, webhookUrl: string) => request(id, '', 'PATCH', { webhookUrl });

/** Waits until this many attempts are recorded, and returns them. */
const record = (id: string, attempts: number) =>
  eventually(async () => {
    const { items } = (await request(id, '/deliveries', 'GET')).body as { items: Attempt[] };
    expect(items.map(({ attempt }) => attempt)).toEqual(Array.from({ length: attempts }, (_, index) => index + 1));
    return items;
  });

/** @param statuses of the receiver's responses in turn; the last one repeats */
async function receiverOf(...statuses: number[]): Promise<Receiver> {
  const receiver = await startReceiver((response, nth) => {
    response.writeHead(statuses[nth - 1] ?? statuses.at(-1) ?? 200).end();
  });
  receivers.push(receiver);
  return receiver;
}

async function make(webhookUrl?: string): Promise<string> {
  const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256, ...(webhookUrl && { webhookUrl }) });
  await ended(stack, id);
  return id;
}

function expectSame(received: Received[]): void {
  expect(new Set(received.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([received[0]!.event.eventId]));
}

/** Milliseconds from the end of an attempt to the next one. */
const untilNext = ({ at, durationMs, nextAt }: Attempt) => Date.parse(nextAt ?? '') - Date.parse(at) - durationMs;

test.concurrent(
  'redelivers the same event at once while the next attempt is an hour away; the schedule continues unchanged',
  async () => {
    const receiver = await receiverOf(500);
    const id = await make(receiver.url);
    const [first] = await record(id, 1);
    const response = await redeliver(id);
    expect([response.status, response.body]).toEqual([202, await read(stack, id)]);
    expectSame(await receiver.until(id, 2));
    const [, second] = await record(id, 2);
    expect(second).toMatchObject({ status: 500, url: receiver.url });
    // The redelivery delays the next attempt of the schedule only by its own duration.
    const later = Date.parse(second!.nextAt!) - Date.parse(first!.nextAt!);
    expect(Math.abs(later)).toBeLessThan(30_000);
    expect(untilNext(first!)).toBeGreaterThanOrEqual(hour);
    const handle = temporal.client.workflow.getHandle(id);
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('redelivery');
  },
);

test.concurrent('makes no attempt after a received redelivery', async () => {
  const receiver = await receiverOf(500, 204);
  const id = await make(receiver.url);
  await record(id, 1);
  await redeliver(id);
  expect((await record(id, 2))[1]).toMatchObject({ status: 204, nextAt: null });
  expectProblem(await changeUrl(id, receiver.url), 'conflict');
});

test.concurrent.each([
  ['received', [200, 500, 200]],
  ['rejected with 410', [410, 200, 410]],
])(
  'after the last attempt was %s: each redelivery is one attempt, and none follows by itself',
  async (_name, statuses) => {
    const receiver = await receiverOf(...statuses);
    const id = await make(receiver.url);
    await record(id, 1);
    for (const attempts of [2, 3]) {
      expect((await redeliver(id)).status).toBe(202);
      const items = await record(id, attempts);
      expect(items.map(({ status, nextAt }) => [status, nextAt])).toEqual(
        statuses.slice(0, attempts).map((status) => [status, null]),
      );
    }
    expectSame(await receiver.until(id, 3));
  },
);

test.concurrent.each([
  ['received', [200, 200]],
  ['rejected with 500', [500, 200]],
])('redelivers an event that was %s although the workflow is gone', async (_name, statuses) => {
  const receiver = await receiverOf(...statuses);
  const id = await make(receiver.url);
  await record(id, 1);
  await temporal.client.workflow.getHandle(id).terminate('an operator was careless');
  expect((await redeliver(id)).status).toBe(202);
  expect((await record(id, 2)).map(({ status, nextAt }) => [status, nextAt !== null])).toEqual(
    statuses.map((status) => [status, status !== 200]),
  );
  expectSame(await receiver.until(id, 2));
  expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
});

test.concurrent('redelivers after an attempt that hangs', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response, nth) => (nth === 1 ? held.resolve(response) : void response.end()));
  receivers.push(receiver);
  const id = await make(receiver.url);
  const response = await held.promise;
  expect((await redeliver(id)).status).toBe(202);
  response.writeHead(500).end();
  expect((await record(id, 2)).map(({ status }) => status)).toEqual([500, 200]);
});

test.concurrent('concurrent redeliveries cause an attempt after the last request, and at most one each', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  await record(id, 1);
  const responses = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(202));
  const respondedAt = Date.now();
  await eventually(async () => {
    const attempts = receiver.received.length;
    expect(attempts).toBeGreaterThanOrEqual(2);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(receiver.received).toHaveLength(attempts);
  });
  const attempts = receiver.received.length;
  expect(attempts).toBeLessThanOrEqual(9);
  expect((await record(id, attempts)).length).toBe(attempts);
  expect(receiver.received.at(-1)!.at).toBeLessThan(respondedAt + 5000);
});

test.concurrent('redelivers an event a hundred times at most, also for concurrent requests', async () => {
  const receiver = await receiverOf(200);
  const id = await make(receiver.url);
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  await sql.query('update artwork set redeliveries = 99 where id = $1', [id]);
  await sql.end();
  const responses = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
  expect(responses.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(7).fill(409)]);
  expectProblem(await redeliver(id), 'conflict');
});

test.concurrent('a redelivery adds few events to the history', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  await record(id, 1);
  const handle = temporal.client.workflow.getHandle(id);
  const before = (await handle.describe()).historyLength;
  for (let attempts = 2; attempts <= 6; attempts++) {
    await redeliver(id);
    await record(id, attempts);
  }
  const each = ((await handle.describe()).historyLength - before) / 5;
  console.info(`a redelivery: ${each} events`);
  expect(each).toBeLessThanOrEqual(20);
});

test.concurrent('sends the next attempt to a changed URL', async () => {
  const wrong = await receiverOf(404);
  const right = await receiverOf(200);
  const id = await make(wrong.url);
  await record(id, 1);
  const response = await changeUrl(id, right.url);
  expect([response.status, response.body]).toEqual([200, await read(stack, id)]);
  // The change alone sends nothing.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(right.received).toEqual([]);
  await redeliver(id);
  expect(await record(id, 2)).toMatchObject([
    { url: wrong.url, status: 404 },
    { url: right.url, status: 200, nextAt: null },
  ]);
  expectSame([...wrong.received, ...right.received]);
});

test.concurrent('validates a changed URL, and returns 409 for an artwork without a webhook', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  for (const [body, rule] of [
    [{}, '/webhookUrl required'],
    [{ webhookUrl: null }, '/webhookUrl type'],
    [{ webhookUrl: 'http://10.0.0.1/hook' }, '/webhookUrl format'],
    [{ webhookUrl: 'ftp://example.com/' }, '/webhookUrl format'],
    [{ webhookUrl: receiver.url, prompt: 'x' }, '/prompt additionalProperties'],
  ] as const) {
    expect(rules(expectProblem(await request(id, '', 'PATCH', body), 'validation_failed'))).toEqual([rule]);
  }
  expectProblem(await changeUrl(await make(), receiver.url), 'conflict');
  expectProblem(await changeUrl('art_nothing', receiver.url), 'not_found');
});

// This test runs alone, because it stops the workers.
test('returns 409 without a webhook and before the end, and 404 for an unknown artwork', async () => {
  const id = await make();
  expectProblem(await redeliver(id), 'conflict');
  expectProblem(await redeliver('art_nothing'), 'not_found');
  await stack.stopWorkers();
  const receiver = await receiverOf(200);
  const early = await create(stack, { prompt: 'a boat', webhookUrl: receiver.url });
  expectProblem(await redeliver(early.id), 'conflict');
  // The URL of an artwork that has not ended can be changed.
  const other = await receiverOf(200);
  expect((await changeUrl(early.id, other.url)).status).toBe(200);
  stack.workers.push(await stack.startWorker());
  expect(await other.until(early.id)).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});
