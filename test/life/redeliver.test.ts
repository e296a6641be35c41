/** Deliveries are steered: again and at once, elsewhere, and in between what the schedule does by itself. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, create, ended, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

const hour = 3_600_000;
let stack: Stack;
let temporal: TemporalClient;
const receivers: Receiver[] = [];

beforeAll(async () => {
  const env = { ATELIER_WEBHOOK_SCHEDULE: '0s,1h,2h' };
  stack = await startSharedStack({ workerEntry: 'bench/instant.ts', env });
  temporal = await openTemporal(stack);
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));
afterAll(async () => {
  await temporal.close();
  await stack.stop();
});

interface Try {
  attempt: number;
  at: string;
  url: string;
  status: number | null;
  durationMs: number;
  nextAt: string | null;
}

const change = (id: string, path: string, method = 'POST', body?: object) =>
  call<Record<string, unknown>>(`${stack.baseUrl}/v2/artworks/${id}${path}`, {
    ...{ method, key: stack.adminKey },
    ...(body && { body }),
  });
const redeliver = (id: string) => change(id, '/redeliver');
const direct = (id: string, webhookUrl: string) => change(id, '', 'PATCH', { webhookUrl });

const record = (id: string, tries: number) =>
  eventually(async () => {
    const { items } = (await change(id, '/deliveries', 'GET')).body as { items: Try[] };
    expect(items.map(({ attempt }) => attempt)).toEqual(Array.from({ length: tries }, (_, index) => index + 1));
    return items;
  });

/** @param statuses of a receiver's answers in turn, the last one for all others */
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

/** Milliseconds from the end of a try to the next that is due. */
const untilNext = ({ at, durationMs, nextAt }: Try) => Date.parse(nextAt ?? '') - Date.parse(at) - durationMs;

test('while it waits for an hour: at once, the same event; the schedule goes on where it was', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  const [first] = await record(id, 1);
  const answer = await redeliver(id);
  expect([answer.status, answer.body]).toEqual([202, await read(stack, id)]);
  expectSame(await receiver.until(id, 2));
  const [, second] = await record(id, 2);
  expect(second).toMatchObject({ status: 500, url: receiver.url });
  // The second try of the schedule is due when it was, but for the time that this one has taken.
  const later = Date.parse(second!.nextAt!) - Date.parse(first!.nextAt!);
  expect(later).toBeGreaterThanOrEqual(-50);
  expect(later).toBeLessThan(30_000);
  expect(untilNext(first!)).toBeGreaterThanOrEqual(hour);
  const handle = temporal.client.workflow.getHandle(id);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('redelivery');
});

test('received in a redelivery: the schedule is over', async () => {
  const receiver = await receiverOf(500, 204);
  const id = await make(receiver.url);
  await record(id, 1);
  await redeliver(id);
  expect((await record(id, 2))[1]).toMatchObject({ status: 204, nextAt: null });
  expectProblem(await direct(id, receiver.url), 'conflict');
});

test.each([
  ['received', [200, 500, 200]],
  ['refused with 410', [410, 200, 410]],
])('after the tries are over, %s: each redelivery is one try, and none follows by itself', async (_name, statuses) => {
  const receiver = await receiverOf(...statuses);
  const id = await make(receiver.url);
  await record(id, 1);
  for (const tries of [2, 3]) {
    expect((await redeliver(id)).status).toBe(202);
    const items = await record(id, tries);
    expect(items.map(({ status, nextAt }) => [status, nextAt])).toEqual(
      statuses.slice(0, tries).map((status) => [status, null]),
    );
  }
  expectSame(await receiver.until(id, 3));
});

test('while a try hangs: another begins after it', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response, nth) => (nth === 1 ? held.resolve(response) : void response.end()));
  receivers.push(receiver);
  const id = await make(receiver.url);
  const response = await held.promise;
  expect((await redeliver(id)).status).toBe(202);
  response.writeHead(500).end();
  expect((await record(id, 2)).map(({ status }) => status)).toEqual([500, 200]);
});

test('asked for many times at once: a try after the last of them, and no more than one for each', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  await record(id, 1);
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202));
  const answeredAt = Date.now();
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(2));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const tries = receiver.received.length;
  expect(tries).toBeLessThanOrEqual(9);
  expect((await record(id, tries)).length).toBe(tries);
  expect(receiver.received.at(-1)!.at).toBeLessThan(answeredAt + 5000);
});

test('an event is asked for a hundred times at most', async () => {
  const receiver = await receiverOf(200);
  const id = await make(receiver.url);
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  await sql.query('update artwork set redeliveries = 99 where id = $1', [id]);
  await sql.end();
  expect((await redeliver(id)).status).toBe(202);
  expectProblem(await redeliver(id), 'conflict');
});

test('a redelivery costs few events of the history', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  await record(id, 1);
  const handle = temporal.client.workflow.getHandle(id);
  const before = (await handle.describe()).historyLength;
  for (let tries = 2; tries <= 6; tries++) {
    await redeliver(id);
    await record(id, tries);
  }
  const each = ((await handle.describe()).historyLength - before) / 5;
  console.info(`a redelivery: ${each} events`);
  expect(each).toBeLessThanOrEqual(20);
});

test('no redelivery without a receiver, before the end, or of what is not there', async () => {
  const id = await make();
  expectProblem(await redeliver(id), 'conflict');
  expectProblem(await redeliver('art_nothing'), 'not_found');
  await stack.workers[0]?.stop();
  const receiver = await receiverOf(200);
  const early = await create(stack, { prompt: 'a boat', webhookUrl: receiver.url });
  expectProblem(await redeliver(early.id), 'conflict');
  // Its URL can be corrected all the same.
  const other = await receiverOf(200);
  expect((await direct(early.id, other.url)).status).toBe(200);
  stack.workers[0] = await stack.startWorker();
  expect(await other.until(early.id)).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});

test('a wrong URL is corrected: the next try goes there', async () => {
  const wrong = await receiverOf(404);
  const right = await receiverOf(200);
  const id = await make(wrong.url);
  await record(id, 1);
  const answer = await direct(id, right.url);
  expect([answer.status, answer.body]).toEqual([200, await read(stack, id)]);
  // By itself it changes only what is to come.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(right.received).toEqual([]);
  await redeliver(id);
  expect(await record(id, 2)).toMatchObject([
    { url: wrong.url, status: 404 },
    { url: right.url, status: 200, nextAt: null },
  ]);
  expectSame([...wrong.received, ...right.received]);
});

test('a URL is checked as at the creation, and cannot be given to what had none', async () => {
  const receiver = await receiverOf(500);
  const id = await make(receiver.url);
  for (const [body, rule] of [
    [{}, '/webhookUrl required'],
    [{ webhookUrl: null }, '/webhookUrl type'],
    [{ webhookUrl: 'http://10.0.0.1/hook' }, '/webhookUrl format'],
    [{ webhookUrl: 'ftp://example.com/' }, '/webhookUrl format'],
    [{ webhookUrl: receiver.url, prompt: 'x' }, '/prompt additionalProperties'],
  ] as const) {
    expect(rules(expectProblem(await change(id, '', 'PATCH', body), 'validation_failed'))).toEqual([rule]);
  }
  expectProblem(await direct(await make(), receiver.url), 'conflict');
  expectProblem(await direct('art_nothing', receiver.url), 'not_found');
});
