/** The event stream of an artwork at either of two API processes: its events, resuming, and the end of a stream. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, create, ended, read } from '../support/client.ts';
import { readContract } from '../support/contract.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type Following, follow, type ReceivedEvent } from '../support/follow.ts';
import { expectProblem } from '../support/problem.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

let fal: UpstreamFake;
let stack: Stack;
let database: pg.Client;
const open: Following[] = [];

beforeAll(async () => {
  fal = await startFal({ apiKey });
  const env = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
  stack = await startSharedStack({ apis: 2, ...timed({}, env) });
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterEach(() => {
  fal.fail(null);
  fal.release();
  for (const following of open.splice(0)) following.leave();
});
afterAll(async () => {
  await database.end();
  await stack.stop();
  await fal.close();
});

const body = { prompt: 'a boat on a lake', width: 512, height: 256 };
const eventsOf = (id: string, api = 0) => `${stack.baseUrls[api]}/v2/artworks/${id}/events`;

async function followAt(api: number, id: string, lastEventId?: string, key = stack.adminKey): Promise<Following> {
  const following = await follow(eventsOf(id, api), key, lastEventId);
  open.push(following);
  return following;
}

/** Creates an artwork whose provider has accepted its job and does not finish it. Returns its id. */
async function held(): Promise<string> {
  fal.hold();
  const { id } = await create(stack, body);
  await eventually(async () => expect((await read(stack, id)).stage).toBe('generate'));
  return id;
}

const isEnd = ({ id }: ReceivedEvent) => id === 'end';
const idsOf = ({ events }: Following) => events.map(({ id, event }) => `${event} ${id}`);

async function makeKey(): Promise<{ keyId: string; apiKey: string }> {
  const made = await call<{ keyId: string; apiKey: string }>(
    `${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`,
    {
      method: 'POST',
      key: stack.adminKey,
      body: { label: 'follows', scope: 'manager', domains: ['artworks-internal'] },
    },
  );
  return made.body;
}

test('sends the same events up to the end at both processes', async () => {
  const id = await held();
  const both = await Promise.all([0, 1].map((api) => followAt(api, id)));
  for (const { status, headers } of both) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/event-stream(;|$)/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('ratelimit-policy')).toContain('"others"');
  }
  for (const one of both) await one.until(({ event }) => event === 'progress');
  fal.release();
  for (const one of both) {
    await one.until(isEnd);
    expect(await one.closed).toBe('ended');
    expect(one.retry).toBeGreaterThan(0);
  }
  const [first, second] = both as [Following, Following];
  const artwork = await ended(stack, id);
  expect(first.events.at(-1)).toEqual({ id: 'end', event: 'status', data: artwork });
  expect(second.events.at(-1)).toEqual(first.events.at(-1));
  expect(first.events[0]).toMatchObject({
    id: '1',
    event: 'status',
    data: { status: 'PROCESSING', stage: 'generate' },
  });
  expect(first.events[1]).toEqual({
    id: '2',
    event: 'progress',
    data: { id, stage: 'generate', done: 0, total: 1 },
  });
  // The last progress may arrive within the same milliseconds as the end.
  for (const one of both) {
    expect(['status 1, progress 2, status end', 'status 1, progress 2, progress 3, status end']).toContain(
      idsOf(one).join(', '),
    );
  }
});

test('events have the documented shapes, and no progress contains the prompt', async () => {
  const contract = await readContract(stack.baseUrl);
  const schema = ['responses', '200', 'content', 'text/event-stream', 'schema', 'properties', 'data', 'contentSchema'];
  const id = await held();
  const following = await followAt(0, id);
  await following.until(({ event }) => event === 'progress');
  fal.release();
  await following.closed;
  for (const { event, data } of following.events) {
    contract.checkAt(['paths', '/v2/artworks/{id}/events', 'get', ...schema], data);
    if (event === 'progress') expect(JSON.stringify(data)).not.toContain('boat');
  }
});

test('reports the wait for a provider and the end of the wait', async () => {
  fal.fail('unavailable');
  const { id } = await create(stack, body);
  const following = await followAt(1, id);
  await following.until(({ data }) => data['stage'] === 'waiting for provider');
  fal.fail(null);
  const end = await following.until(isEnd, 60_000);
  expect(end.data).toMatchObject({ status: 'SUCCEEDED' });
  const progress = following.events.filter(({ event }) => event === 'progress').map((one) => Number(one.id));
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(new Set(progress).size).toBe(progress.length);
});

test('a client resumes at another process and receives no event twice', async () => {
  const id = await held();
  const first = await followAt(0, id);
  const last = await first.until(({ event }) => event === 'progress');
  first.leave();
  const second = await followAt(1, id, last.id);
  const third = await followAt(1, id, '0');
  await third.until(({ event }) => event === 'progress');
  expect(idsOf(third)).toEqual(['status 1', 'progress 2']);
  expect(second.events).toEqual([]);
  fal.release();
  await second.until(isEnd);
  expect(idsOf(second).filter((one) => one === 'status 1' || one === 'progress 2')).toEqual([]);
  expect(await second.closed).toBe('ended');
});

test('ignores an invalid or future Last-Event-ID', async () => {
  const id = await held();
  for (const lastEventId of ['', 'no', '-1', '1.5', '99', 'end', '9'.repeat(400)]) {
    const following = await followAt(0, id, lastEventId);
    await following.until(({ event }) => event === 'progress');
    expect([lastEventId, ...idsOf(following)]).toEqual([lastEventId, 'status 1', 'progress 2']);
  }
});

test('sends the last event of an ended artwork at once, and returns 204 to a client that has received it', async () => {
  const artwork = await ended(stack, (await create(stack, body)).id);
  for (const lastEventId of [undefined, '0', '2', '99']) {
    const following = await followAt(1, artwork.id, lastEventId);
    expect(await following.closed).toBe('ended');
    expect(following.events).toEqual([{ id: 'end', event: 'status', data: artwork }]);
  }
  expect((await followAt(0, artwork.id, 'end')).status).toBe(204);
});

test('HEAD opens no stream', async () => {
  const id = await held();
  const response = await fetch(eventsOf(id), {
    method: 'HEAD',
    headers: { authorization: `Bearer ${stack.adminKey}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  expect(await response.text()).toBe('');
});

test('only keys that may read an artwork may follow it', async () => {
  const id = await held();
  expectProblem(await call(eventsOf(id)), 'invalid_api_key');
  const made = await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`, {
    method: 'POST',
    key: stack.adminKey,
    body: { label: 'another', scope: 'generator', domains: ['artworks-internal'] },
  });
  expectProblem(await call(eventsOf(id), { key: String(made.body['apiKey']) }), 'not_found');
});

test('a revoked key receives no further events', async () => {
  const id = await held();
  const { keyId, apiKey: key } = await makeKey();
  const following = await followAt(0, id, undefined, key);
  await following.until(({ event }) => event === 'progress');
  const url = `${stack.baseUrls[1]}/v2/organizations/${stack.orgId}/api-keys/${keyId}`;
  expect((await call(url, { method: 'DELETE', key: stack.adminKey })).status).toBe(200);
  fal.release();
  expect(await following.closed).toBe('ended');
  expect(idsOf(following)).toEqual(['status 1', 'progress 2']);
});

test.each([
  ['deleted', 'delete from artwork where id = $1'],
  ['claimed', `update artwork set status = 'ABANDONED' where id = $1`],
])('ends the stream of a %s artwork without a status', async (_name, statement) => {
  const id = await held();
  const following = await followAt(1, id);
  await following.until(({ event }) => event === 'progress');
  await database.query(statement, [id]);
  expect(await following.closed).toBe('ended');
  expect(idsOf(following)).toEqual(['status 1', 'progress 2']);
  expectProblem(await call(eventsOf(id), { key: stack.adminKey }), 'not_found');
});

test('streams outlive the connections to PostgreSQL and miss nothing', async () => {
  const id = await held();
  const both = await Promise.all([0, 1].map((api) => followAt(api, id)));
  for (const one of both) await one.until(({ event }) => event === 'progress');
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'atelier-api%'`;
  await database.query(cut);
  fal.release();
  for (const one of both) {
    expect((await one.until(isEnd)).data).toMatchObject({ status: 'SUCCEEDED' });
    expect(await one.closed).toBe('ended');
  }
});

test('streams hold no connection to PostgreSQL', async () => {
  const id = await held();
  const many = await Promise.all(Array.from({ length: 100 }, () => followAt(0, id)));
  for (const one of many) await one.until(({ event }) => event === 'progress');
  // The API also has short queries of its own, such as counts of requests.
  await eventually(async () => {
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name like 'atelier-api%' and state <> 'idle'`,
    );
    expect(Number(rows[0]?.count)).toBe(0);
  });
  fal.release();
  for (const one of many) await one.until(isEnd);
});
