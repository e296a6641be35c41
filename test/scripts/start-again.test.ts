/** `npm start` on existing data changes nothing; a worker that is stopped gracefully has a successor at once. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testFolder } from './folder.ts';
import { alive, type Demo, npmStart } from './npm-start.ts';

const data = join(testFolder(), 'data');
let running = npmStart(data);
beforeAll(() => running.ready());
afterAll(() => void running.child.kill('SIGTERM'));

/** Returns what clients and the operator have set, and everything that has changed it. */
async function state({ baseUrl, orgId, adminKey: key }: Demo) {
  const organization = `${baseUrl}/v2/organizations/${orgId}`;
  const read = async (path: string) => {
    const { status, body } = await call(`${organization}${path}`, { key });
    expect(status).toBe(200);
    return body;
  };
  const { items, ...page } = (await read('/api-keys')) as { items: Record<string, unknown>[] };
  const keys = items.map(({ usageCount: _count, lastUsedAt: _time, ...one }) => one);
  return { organization: await read(''), keys, page, audit: await read('/audit') };
}

/** Returns demo.json as soon as it names another process than before. */
const untilReplaced = (part: 'api' | 'worker', before: Demo, seconds: number): Promise<Demo> =>
  running.until(() => {
    const now = running.readDemo();
    return now.pids[part][0] !== before.pids[part][0] && now;
  }, seconds);

test('a start changes nothing: the rotated webhook secret still signs, and demo.json contains it', async () => {
  const first = running.readDemo();
  const receiver = await startReceiver();
  const organization = `${first.baseUrl}/v2/organizations/${first.orgId}`;
  const post = (path: string, body: object) =>
    call<{ webhookSecret: string }>(`${organization}/${path}`, { method: 'POST', key: first.adminKey, body });
  const key = { label: 'shop', scope: 'generator', domains: ['studio'], environment: 'live', credits: 7 };
  expect((await post('api-keys', key)).status).toBe(201);
  const { webhookSecret } = (await post('webhook-secret', { gracePeriodSeconds: 0 })).body;
  const before = await state(first);
  expect(await running.stop()).toEqual([0, null]);

  running = npmStart(data);
  const again = await running.ready();
  expect(await state(again)).toEqual(before);
  expect(again).toMatchObject({ adminKey: first.adminKey, webhookSecret });
  const { id } = await create(again, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  const [delivery] = await receiver.until(id);
  const verify = () => new Webhook(webhookSecret).verify(delivery!.raw, delivery!.headers as Record<string, string>);
  expect(verify()).toMatchObject({ id });
  await receiver.close();
}, 120_000);

test('a worker that receives SIGTERM has a successor before it has finished its work', async () => {
  // It does not respond, so the delivery keeps the worker busy.
  const receiver = await startReceiver(() => undefined);
  const before = running.readDemo();
  const { id } = await create(before, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  await receiver.until(id);
  process.kill(before.pids.worker[0]!, 'SIGTERM');
  const after = await untilReplaced('worker', before, 20);
  expect(alive(before.pids.worker)).toEqual(before.pids.worker);
  const next = await create(after, { prompt: 'a red fox' });
  expect(await ended(after, next.id)).toMatchObject({ status: 'SUCCEEDED' });
  await receiver.close();
  await eventually(() => expect(alive(before.pids.worker)).toEqual([]), 30_000);
  await running.until(() => running.output().includes(`✓ Worker ${before.pids.worker[0]} has finished its work`), 5);
  expect(running.output()).not.toContain('; restarting it');
});

test('an API that receives SIGTERM has a successor while it still handles a request', async () => {
  const before = running.readDemo();
  const headers = { authorization: `Bearer ${before.adminKey}`, 'content-type': 'application/json' };
  const open = request(`${before.baseUrl}/v2/artworks/selena`, { method: 'POST', headers });
  open.write('{"prompt": ');
  // The API has the request when it has responded to a later one.
  expect((await call(`${before.baseUrl}/health`)).status).toBe(200);
  process.kill(before.pids.api[0]!, 'SIGTERM');
  const after = await untilReplaced('api', before, 15);
  expect(alive(before.pids.api)).toEqual(before.pids.api);
  expect(after.baseUrl).toBe(before.baseUrl);
  expect((await call(`${after.baseUrl}/health`)).status).toBe(200);
  open.end('"a lighthouse"}');
  const [response] = (await once(open, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(202);
  response.resume();
});

test('a stop ends a worker that drains, too, with exit code 0', async () => {
  const receiver = await startReceiver(() => undefined);
  const before = running.readDemo();
  const { id } = await create(before, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  await receiver.until(id);
  process.kill(before.pids.worker[0]!, 'SIGTERM');
  const now = await untilReplaced('worker', before, 20);
  const stopped = running.stop();
  setTimeout(() => void receiver.close(), 2000);
  expect(await stopped).toEqual([0, null]);
  expect(alive([...before.pids.worker, ...now.pids.worker])).toEqual([]);
});
