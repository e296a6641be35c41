/** Deliveries follow the schedule: every attempt sends the same event and is recorded. */
import type { ServerResponse } from 'node:http';
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
const receivers: Receiver[] = [];

beforeAll(async () => {
  stack = await startSharedStack(timed({ selena: 0 }, { ATELIER_WEBHOOK_SCHEDULE: '0s,200ms,300ms' }));
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  await sql.query(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'an error that no code foresees'; end $$`);
  await sql.query(`create trigger refuse before update on artwork for each row
    when (new.status = 'SUCCEEDED' and new.prompt = 'never ended' or new.status = 'PROCESSING' and new.prompt = 'never begun')
    execute function refuse()`);
  await sql.end();
});
afterAll(async () => {
  await stack.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

interface Attempt {
  attempt: number;
  at: string;
  url: string;
  status: number | null;
  error: string | null;
  durationMs: number;
  nextAt: string | null;
}

/** Creates an artwork with a receiver of its own. @param attempts number of attempts after which no other follows */
async function delivered(attempts: number, respond: (response: ServerResponse, nth: number) => void) {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url });
  const record = await recordOf(id, attempts);
  // Longer than the schedule, so that another attempt would have been made.
  await delay(800);
  expect(await recordOf(id, attempts)).toEqual(record);
  expect(record.every(({ url }) => url === receiver.url)).toBe(true);
  return { record, received: receiver.received };
}

const recordOf = (id: string, attempts: number) =>
  eventually(async () => {
    const url = `${stack.baseUrl}/v2/artworks/${id}/deliveries`;
    const { items } = (await call<{ items: Attempt[] }>(url, { key: stack.adminKey })).body;
    expect(items.map(({ attempt }) => attempt)).toEqual(Array.from({ length: attempts }, (_, index) => index + 1));
    return items;
  });

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();

/** Milliseconds between the end of each attempt and the beginning of the next, as recorded. */
const waits = (record: Attempt[]) =>
  record.map(({ at, durationMs, nextAt }) => nextAt && Date.parse(nextAt) - Date.parse(at) - durationMs);

function expectSameEvent(received: Received[]): void {
  expect(new Set(received.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([received[0]!.event.eventId]));
  const webhook = new Webhook(stack.webhookSecret);
  for (const { raw, headers } of received) {
    webhook.verify(raw, headers as Record<string, string>);
    const timestamp = String(headers['atelier-timestamp']);
    const own = createHmac('sha256', stack.webhookSecret).update(`${timestamp}.`).update(raw).digest('hex');
    expect(headers['atelier-signature']).toBe(own);
  }
}

test.concurrent(
  'sends the same event in three attempts when the first two fail, each with its own timestamp and signature',
  async () => {
    const { record, received } = await delivered(3, (response, nth) => status(nth < 3 ? 500 : 200)(response));
    expectSameEvent(received);
    expect(received).toHaveLength(3);
    const { at } = received[0]!;
    expect(received[1]!.at - at).toBeGreaterThanOrEqual(200);
    expect(received[2]!.at - received[1]!.at).toBeGreaterThanOrEqual(300);
    const timestamps = received.map(({ headers }) => Number(headers['atelier-timestamp']));
    expect(timestamps).toEqual([...timestamps].sort());
    expect(record).toMatchObject([
      { status: 500, error: 'the receiver responded with 500', nextAt: expect.any(String) },
      { status: 500, error: 'the receiver responded with 500', nextAt: expect.any(String) },
      { status: 200, error: null, nextAt: null },
    ]);
    const [first, second] = waits(record);
    expect(first).toBeGreaterThanOrEqual(200);
    expect(first).toBeLessThanOrEqual(222);
    expect(second).toBeGreaterThanOrEqual(300);
    expect(second).toBeLessThanOrEqual(332);
  },
);

test.concurrent('the timestamps of attempts that are seconds apart increase', async () => {
  const { received } = await delivered(2, (response, nth) =>
    status(nth === 1 ? 503 : 200, { 'retry-after': '2' })(response),
  );
  expectSameEvent(received);
  const [first = 0, second = 0] = received.map(({ headers }) => Number(headers['atelier-timestamp']));
  expect(second - first).toBeGreaterThanOrEqual(2);
});

test.concurrent('no attempt follows the end of the schedule', async () => {
  const { record, received } = await delivered(3, status(500));
  expect(received).toHaveLength(3);
  expect(record.at(-1)).toMatchObject({ status: 500, nextAt: null });
});

test.concurrent('no attempt follows a 410', async () => {
  const { record, received } = await delivered(1, status(410));
  expect(received).toHaveLength(1);
  expect(record).toMatchObject([{ status: 410, error: 'the receiver accepts no more deliveries (410)', nextAt: null }]);
});

test.concurrent('a redirect is a failed attempt, and not followed', async () => {
  const { record, received } = await delivered(3, status(307, { location: '/elsewhere' }));
  expect(received.map(({ path }) => path)).toEqual(['/hook', '/hook', '/hook']);
  expect(record[0]).toMatchObject({ status: 307, error: 'redirects are not followed' });
});

test.concurrent('honours a date in Retry-After', async () => {
  const date = () => new Date(Date.now() + 3000).toUTCString();
  const { record, received } = await delivered(2, (response, nth) =>
    status(nth === 1 ? 429 : 204, nth === 1 ? { 'retry-after': date() } : {})(response),
  );
  expect(received[1]!.at - received[0]!.at).toBeGreaterThanOrEqual(1900);
  expect(record).toMatchObject([{ status: 429 }, { status: 204, nextAt: null }]);
});

test.concurrent('a connection that breaks is a failed attempt', async () => {
  const { record } = await delivered(2, (response, nth) => {
    if (nth === 1) response.socket?.resetAndDestroy();
    else response.end();
  });
  expect(record).toMatchObject([{ status: null, error: 'connection closed' }, { status: 200 }]);
});

test.concurrent('a refused connection is a failed attempt, and others follow', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url });
  expect(await recordOf(id, 3)).toMatchObject(Array(3).fill({ status: null, error: 'connection refused' }));
});

test.each(['http://10.0.0.1/hook', 'http://169.254.169.254/', 'http://[fd00::1]/', 'http://service.internal/hook'])(
  'a private address is refused with the request: %s',
  async (webhookUrl) => {
    const url = `${stack.baseUrl}/v2/artworks/selena`;
    const body = { prompt: 'a boat', webhookUrl };
    const response = await call<{ errors: { path: string }[] }>(url, { method: 'POST', key: stack.adminKey, body });
    expect(response.status).toBe(400);
    expect(response.body.errors.map(({ path }) => path)).toEqual(['/webhookUrl']);
  },
);

/** The prompts whose artworks the trigger rejects. */
test.concurrent.each(['never begun', 'never ended'])(
  '%s: an artwork whose step the database refuses for good is FAILED, and its event is sent',
  async (prompt) => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { id } = await create(stack, { prompt, width: 256, height: 256, webhookUrl: receiver.url });
    const artwork = await ended(stack, id, 50_000);
    expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'internal_error', images: [] });
    const [delivery] = await receiver.until(id);
    expect(delivery!.event).toMatchObject({ type: 'artwork.failed', status: 'FAILED' });
  },
);
