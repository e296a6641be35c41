/** The timeline of an artwork: its wait in the queue, every attempt of every call, every delivery attempt. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Step } from '../../schemas/timeline.ts';
import { call, create, ended } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

let fal: UpstreamFake;
let replicate: UpstreamFake;
let receiver: Receiver;
let stack: Stack;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey })]);
  receiver = await startReceiver((response, nth) => void response.writeHead(nth === 1 ? 500 : 200).end());
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: { selena: [flux], hamilton: [flux, schnell] },
  });
  stack = await startSharedStack(timed({}, { ...env, ATELIER_WEBHOOK_SCHEDULE: '0s,100ms,100ms' }));
});
afterEach(() => {
  fal.fail(null);
  fal.release();
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([fal.close(), replicate.close(), receiver.close()]);
});

const body = { prompt: 'a boat on a lake', width: 512, height: 256 };

interface Timeline {
  items: Step[];
  nextCursor: null;
}

const timelineOf = (id: string) =>
  call<Timeline>(`${stack.baseUrl}/v2/artworks/${id}/timeline`, { key: stack.adminKey });
const short = ({ name, model, attempt, errorCode }: Step) => [name, model, attempt, errorCode];

function expectOrdered(items: readonly Step[]): void {
  const times = items.map(({ startedAt }) => startedAt ?? '');
  expect(times).toEqual(times.toSorted());
  for (const { startedAt, endedAt } of items) expect(endedAt! >= startedAt!).toBe(true);
}

test('shows a successful artwork whose webhook is delivered at the second attempt', async () => {
  const contract = await readContract(stack.baseUrl);
  const { id } = await create(stack, { ...body, promptMode: 'seer', webhookUrl: receiver.url });
  await receiver.until(id, 2);
  const response = await eventually(async () => {
    const timeline = await timelineOf(id);
    expect(timeline.body.items).toHaveLength(5);
    return timeline;
  });
  contract.check('GET', '/v2/artworks/{id}/timeline', response);
  const { items } = response.body;
  expect(items.map(short)).toEqual([
    ['queue', null, 1, null],
    ['enhance', expect.any(String), 1, null],
    ['image-1', 'fal/fal-ai/flux/dev', 1, null],
    ['delivery', null, 1, null],
    ['delivery', null, 2, null],
  ]);
  expect(items.map(({ error }) => error)).toEqual([
    ...[null, null, null],
    { status: 500, message: 'the receiver responded with 500' },
    null,
  ]);
  expectOrdered(items);
  const artwork = await ended(stack, id);
  expect([items[0]?.startedAt, items[0]?.endedAt]).toEqual([artwork.createdAt, artwork.startedAt]);
  expect(JSON.stringify(items)).not.toContain('boat');
});

test('numbers the failed attempts at one engine and the next consecutively', async () => {
  fal.fail('unavailable');
  const { id } = await create(stack, body, 'hamilton');
  await ended(stack, id, 60_000);
  const { items } = (await timelineOf(id)).body;
  const [queue, ...calls] = items;
  expect(queue?.name).toBe('queue');
  expect(calls.map(({ attempt }) => attempt)).toEqual(calls.map((_one, index) => index + 1));
  expect(
    calls.slice(0, -1).every(({ model, errorCode }) => model === 'fal' && errorCode === 'provider_unavailable'),
  ).toBe(true);
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.at(-1)).toMatchObject({ model: 'replicate/black-forest-labs/flux-schnell', error: null });
  expect(calls[0]?.error).toEqual({ status: 503, message: 'The model was not available in time.' });
  expectOrdered(items);
});

test('shows the same error message as the artwork', async () => {
  fal.fail('moderation');
  const artwork = await ended(stack, (await create(stack, body)).id, 60_000);
  const { items } = (await timelineOf(artwork.id)).body;
  expect(items.at(-1)).toMatchObject({ name: 'image-1', error: artwork.error, errorCode: artwork.errorCode });
});

test('shows the finished steps of a running artwork', async () => {
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(async () =>
    expect((await timelineOf(id)).body.items.map(({ endedAt }) => endedAt)).toEqual([expect.any(String)]),
  );
});

test('shows an attempt that failed on our side, and one without a start time', async () => {
  const { id } = await ended(stack, (await create(stack, body)).id);
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  try {
    await sql.query(`update call_result set attempt = 3, started_at = null where artwork_id = $1`, [id]);
    await sql.query(
      `insert into failed_try (artwork_id, call, engine, attempt, started_at, ended_at, code)
       select id, 'image-1', 'fal', 1, started_at, started_at, 'unavailable' from artwork where id = $1`,
      [id],
    );
  } finally {
    await sql.end();
  }
  const { items } = (await timelineOf(id)).body;
  expect(items.map(short)).toEqual([
    ['queue', null, 1, null],
    ['image-1', 'fal', 1, 'provider_unavailable'],
    ['image-1', 'fal/fal-ai/flux/dev', 3, null],
  ]);
  expect(items[2]).toMatchObject({ startedAt: null, endedAt: expect.any(String) });
});
