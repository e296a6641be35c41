/** `npm start` on existing data changes nothing. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { call, create } from '../support/client.ts';
import { startReceiver } from '../support/receiver.ts';
import { testFolder } from './folder.ts';
import { type Demo, npmStart } from './npm-start.ts';

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
