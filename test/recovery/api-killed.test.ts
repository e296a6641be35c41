/** The API dies between its three steps: whoever got no 202 has an artwork that ends properly, or none at all. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../support/photos.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { expectWhole } from '../support/whole.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

let stack: Stack;
let receiver: Receiver;
let database: pg.Client;
let temporal: TemporalClient;
let wire: Wire;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([startSharedStack(), startReceiver()]);
  [wire, temporal] = await Promise.all([startWire(stack.databaseUrl), openTemporal(stack)]);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterAll(async () => {
  await Promise.all([database.end(), temporal.close()]);
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const afterStart: Point = { statement: /insert into "artwork"/, hold: 'statement' };
const afterStore: Point = { after: /insert into "artwork"/, statement: /commit/, hold: 'answer' };

test('killed between start and store: the workflow ends by itself, and nothing else stays', async () => {
  const { id, answer } = await postUntil(afterStart, (api) => process.kill(api, 'SIGKILL'), await withImage());
  expect(await answer).toBe('connection lost');
  stack.apis.push(await stack.startApi());
  await expectNever(id);
});

test('killed between store and 202: the artwork is made, with one event', async () => {
  const { id, answer } = await postUntil(afterStore, (api) => process.kill(api, 'SIGKILL'));
  expect(await answer).toBe('connection lost');
  stack.apis.push(await stack.startApi());
  await expectWhole(stack, receiver, [id]);
});

test('frozen between start and store for longer than anybody waits: 503, and nothing is there', async () => {
  let frozen = 0;
  const freeze = (api: number) => void process.kill((frozen = api), 'SIGSTOP');
  const { id, answer } = await postUntil(afterStart, freeze, await withImage());
  await claimed(id);
  process.kill(frozen, 'SIGCONT');
  expect(await answer).toBe(503);
  await expectNever(id);
});

interface Post {
  operation: string;
  body: Record<string, unknown>;
}

/** Its image is stored before its row. */
async function withImage(): Promise<Post> {
  return { operation: 'remove-background', body: { image: dataUri(await photo('chelsea')) } };
}

const plain: Post = { operation: 'selena', body: { prompt: 'a boat', width: 256, height: 256 } };

/** @returns the id that the artwork got, and what its client saw */
async function postUntil(point: Point, act: (api: number) => void, post = plain) {
  await Promise.all(stack.apis.splice(0).map((api) => api.stop()));
  const known = new Set(await workflowIds());
  const api = await stack.startApi(0, { DATABASE_URL: wire.url });
  stack.apis.push(api);
  const held = wire.holdAt(point);
  const body = { ...post.body, webhookUrl: receiver.url };
  const answer = call(`${stack.baseUrl}/v2/artworks/${post.operation}`, {
    method: 'POST',
    key: stack.adminKey,
    body,
  }).then(
    ({ status }) => status,
    () => 'connection lost' as const,
  );
  await held.reached;
  act(api.pid);
  const id = await eventually(async () => {
    const [fresh] = (await workflowIds()).filter((one) => !known.has(one));
    if (fresh === undefined) throw new Error('the workflow is not visible yet');
    return fresh;
  });
  void answer.then(() => held.release());
  return { id, answer };
}

async function workflowIds(): Promise<string[]> {
  const ids: string[] = [];
  const query = `TaskQueue = '${stack.taskQueue}'`;
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

/** Until the workflow has given up waiting for the row. */
function claimed(id: string): Promise<void> {
  return eventually(async () => {
    const { rowCount } = await database.query(`select from artwork where id = $1 and status = 'ABANDONED'`, [id]);
    expect(rowCount).toBe(1);
  });
}

async function expectNever(id: string): Promise<void> {
  await claimed(id);
  const url = `${stack.baseUrl}/v2/artworks/${id}`;
  expect((await call(url, { key: stack.adminKey })).status).toBe(404);
  // The id stays claimed, with nothing of the request, so that no insert can come too late.
  const { rows } = await database.query('select status, input, plan, prompt, webhook_url from artwork where id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ status: 'ABANDONED', input: {}, plan: null, prompt: null, webhook_url: null }]);
  expect(receiver.received).toEqual([]);
  // The API of the frozen one removes what it wrote just before it answers 503.
  expect(await readdir(join(stack.dataFolder, 'images')).catch(() => [])).not.toContain(id);
}
