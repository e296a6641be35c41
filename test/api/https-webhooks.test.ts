/** With ATELIER_WEBHOOK_PROTOCOLS=https, every new address of a webhook must be https, also that of an allowed host. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, create } from '../support/client.ts';
import { expectProblem } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0, env: { ATELIER_WEBHOOK_PROTOCOLS: 'https' } });
});
afterAll(() => stack.stop());

test('rejects http in creations and changes, and accepts https', async () => {
  const send = (method: string, path: string, webhookUrl: string) =>
    call(`${stack.baseUrl}/v2/artworks/${path}`, {
      ...{ method, key: stack.adminKey },
      body: { webhookUrl, ...(method === 'POST' && { prompt: 'a boat' }) },
    });
  const rejected = [{ path: '/webhookUrl', rule: 'format', message: 'must be an absolute https URL' }];
  for (const url of ['http://example.com/hook', 'http://127.0.0.1:8080/hook']) {
    expect(expectProblem(await send('POST', 'selena', url), 'validation_failed')).toEqual(rejected);
  }
  const { id } = await create(stack, { prompt: 'a boat', webhookUrl: 'https://example.com/hook' });
  expect(expectProblem(await send('PATCH', id, 'http://example.com/hook'), 'validation_failed')).toEqual(rejected);
  expect((await send('PATCH', id, 'https://example.com/other')).status).toBe(200);
});
