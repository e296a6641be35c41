/**
 * While the image folder fails, a result that costs money survives, uploads get 503 and leave no workflow, and events are
 * sent.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { newId } from '../../store/ids.ts';
import { breakImages } from '../support/break-images.ts';
import { call, create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { drawn } from '../support/pictures.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { startReceiver } from '../support/receiver.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { storedNames } from '../support/stored-files.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import { timed } from '../support/timed.ts';
import { startFal } from '../upstreams/fal.ts';
import { startOpenAiImages } from '../upstreams/openai-images.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let fal: UpstreamFake;
let openai: UpstreamFake;
let stack: Stack;
let temporal: TemporalClient;

beforeAll(async () => {
  [fal, openai] = await Promise.all([startFal({ apiKey }), startOpenAiImages({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), openai: at('openai', openai) },
    models: { selena: [flux], quantum: [{ engine: 'openai', model: 'gpt-image-1.5' }] },
  });
  stack = await startSharedStack(timed({ 'depth-map': 4000 }, env));
  temporal = await openTemporal(stack);
});
afterAll(async () => {
  await temporal.close();
  await stack.stop();
  await Promise.all([fal.close(), openai.close()]);
});

const body = { prompt: 'a boat on a lake', width: 1024, height: 1024 };
const submissions = () => [fal.counts.submissions, openai.counts.submissions];

test('stores results when the folder works again, and pays for no call meanwhile', async () => {
  for (const fake of [fal, openai]) fake.hold();
  const early = [await create(stack, body, 'selena'), await create(stack, body, 'quantum')];
  await eventually(() => expect(submissions()).toEqual([1, 1]));
  const restore = await breakImages(stack);
  for (const fake of [fal, openai]) fake.release();
  const late = [await create(stack, body, 'selena'), await create(stack, body, 'quantum')];

  const since = newId('art');
  const picture = await drawn(64, 64).png().toBuffer();
  const image = `data:image/png;base64,${picture.toString('base64')}`;
  const { baseUrl, adminKey: key } = stack;
  expectProblem(
    await call(`${baseUrl}/v2/artworks/upscaling`, { method: 'POST', key, body: { image } }),
    'unavailable',
  );
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' };
  const upload = await raw(baseUrl, { method: 'POST', path: '/v2/files', headers, body: [picture] });
  expect([upload.status, (upload.body as { code: string }).code]).toEqual([503, 'unavailable']);

  // Longer than the quick attempts of a call take.
  await delay(7000);
  expect(submissions()).toEqual([1, 1]);
  await restore();
  for (const { id } of [...early, ...late]) expect((await ended(stack, id, 60_000)).status).toBe('SUCCEEDED');
  expect(submissions()).toEqual([2, 2]);
  await eventually(async () => {
    const started = await startedSince(temporal, stack, since);
    const [rejected, ...others] = started.filter((id) => id.startsWith('art_'));
    const { status } = await temporal.client.workflow.getHandle(rejected!).describe();
    expect([status.name, others]).toEqual(['COMPLETED', []]);
  });
});

test('sends the event at once when the image of the request cannot be deleted, and deletes it later', async () => {
  const receiver = await startReceiver();
  const picture = await drawn(64, 64).png().toBuffer();
  const image = `data:image/png;base64,${picture.toString('base64')}`;
  const { id } = await create(stack, { image, webhookUrl: receiver.url }, 'depth-map');
  // The call has begun, so the image of the request is not needed any more.
  const input = await eventually(async () => {
    const names = await storedNames(stack, id);
    expect(names.length).toBeGreaterThan(1);
    return names.find((name) => /^input\.[\da-f]{64}$/.test(name))!;
  });
  const file = join(stack.dataFolder, 'images', id, input);
  await rename(file, `${file}-aside`);
  await mkdir(file);
  const [event] = await receiver.until(id, 1, 15_000);
  expect(event!.event.type).toBe('artwork.succeeded');
  const took = event!.at - Date.parse(String(event!.event['finishedAt']));
  console.info(`the event was sent ${took} ms after the end`);
  expect(took).toBeLessThan(3000);
  await rm(file, { recursive: true });
  await rename(`${file}-aside`, file);
  await eventually(async () => expect(await storedNames(stack, id)).not.toContain(input), 30_000);
  await receiver.close();
});
