/** Calls whose worker dies: one that is paid for again, and calls that end their worker each time and are given up. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Step } from '../../schemas/timeline.ts';
import type { Running } from '../../scripts/local/child.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import type { DirectFake } from '../upstreams/direct-fake.ts';
import { startOpenAiImages } from '../upstreams/openai-images.ts';

jest.setTimeout(300_000);

let openai: DirectFake;
let stack: Stack;
let worker: Running;

beforeAll(async () => {
  openai = await startOpenAiImages({ apiKey });
  const env = enginesEnv(shared().folder, {
    engines: { openai: at('openai', openai) },
    models: { quantum: [{ engine: 'openai', model: 'gpt-image-1.5' }] },
  });
  stack = await startSharedStack({ workers: 0, ...timed({ selena: 'deadly' }, env) });
});
afterEach(() => openai.reset());
afterAll(async () => {
  await stack.stop();
  await openai.close();
});

const body = { prompt: 'a boat on a lake', width: 1024, height: 1024 };

async function lastStep(id: string): Promise<Step | undefined> {
  const timeline = await call<{ items: Step[] }>(`${stack.baseUrl}/v2/artworks/${id}/timeline`, {
    key: stack.adminKey,
  });
  return timeline.body.items.at(-1);
}

test('a direct call whose worker dies is paid for twice, and ends within a minute', async () => {
  worker = await stack.startWorker();
  openai.hold();
  const { id } = await create(stack, body, 'quantum');
  await eventually(() => expect(openai.counts.submissions).toBe(1));
  await worker.stop({ signal: 'SIGKILL' });
  const died = Date.now();
  openai.release();
  worker = await stack.startWorker();
  expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
  console.info(`a direct call ended ${Math.round((Date.now() - died) / 1000)} s after the death of its worker`);
  expect(openai.counts.submissions).toBe(2);
  expect(await lastStep(id)).toMatchObject({ name: 'image-1', submissions: 2, error: null });
  await worker.stop();
});

test('a direct call during which each worker dies is given up after three submissions', async () => {
  openai.hold();
  worker = await stack.startWorker();
  const { id } = await create(stack, body, 'quantum');
  for (let submission = 1; submission <= 3; submission++) {
    await eventually(() => expect(openai.counts.submissions).toBe(submission), 60_000);
    await worker.stop({ signal: 'SIGKILL' });
    worker = await stack.startWorker();
  }
  expect(await ended(stack, id, 60_000)).toMatchObject({ status: 'FAILED', errorCode: 'internal_error' });
  expect(openai.counts.submissions).toBe(3);
  expect(await lastStep(id)).toMatchObject({ model: 'openai', submissions: 3, errorCode: 'internal_error' });
  await worker.stop();
});

test('an embedded call that ends each worker is given up, and its error says so', async () => {
  worker = await stack.startWorker();
  const { id } = await create(stack, body);
  let deaths = 0;
  while ((await read(stack, id)).status !== 'FAILED') {
    expect(deaths).toBeLessThanOrEqual(6);
    const isDead = await Promise.race([worker.exited.then(() => true), ended(stack, id, 60_000).then(() => false)]);
    if (!isDead) break;
    deaths += 1;
    worker = await stack.startWorker();
  }
  expect(deaths).toBe(5);
  expect(await read(stack, id)).toMatchObject({
    errorCode: 'internal_error',
    error: { status: 500, message: 'This request stopped the model on every attempt. Change the request.' },
  });
  await worker.stop();
});
