/** A worker that receives hostile files from a provider or a client rejects them, and makes the next artwork. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { costlySvg, jpegOfScans, pngOfComments } from '../support/hostile-images.ts';
import { drawn } from '../support/pictures.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { startFal } from '../upstreams/fal.ts';
import type { FakeFile, UpstreamFake } from '../upstreams/upstream-fake.ts';

// This test starts processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let file: FakeFile | null = null;
let fal: UpstreamFake;
let stack: Stack;

beforeAll(async () => {
  fal = await startFal({ apiKey, file: () => file });
  const env = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
  stack = await startSharedStack({ env });
});
afterAll(async () => {
  await stack.stop();
  await fal.close();
});

const body = { prompt: 'a boat on a lake', width: 512, height: 512 };
const uri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

async function finished(fields: Record<string, unknown>, operation: string) {
  const { id } = await create(stack, fields, operation);
  return ended(stack, id, 90_000);
}

test('rejects hostile results with one error, then makes the next artwork', async () => {
  for (const bytes of [costlySvg(), pngOfComments(), Buffer.from('{"error":"moved"}')]) {
    file = { bytes, type: 'application/octet-stream' };
    const { status, errorCode } = await finished(body, 'selena');
    expect([status, errorCode]).toEqual(['FAILED', 'provider_rejected']);
  }
  file = null;
  expect((await finished(body, 'selena')).status).toBe('SUCCEEDED');
});

test('rejects hostile input images, then prepares the next one', async () => {
  const failed = await finished({ image: uri(pngOfComments()) }, 'depth-map');
  expect(failed).toMatchObject({
    status: 'FAILED',
    errorCode: 'input_invalid',
    error: { message: expect.stringContaining('takes too much time or memory') as unknown },
  });
  // A costly file that ends within its limits is an image like any other.
  expect((await finished({ image: uri(jpegOfScans(1000)) }, 'depth-map')).status).toBe('SUCCEEDED');
  const picture = await drawn(128, 128).png().toBuffer();
  expect((await finished({ image: uri(picture) }, 'depth-map')).status).toBe('SUCCEEDED');
});

test('still draws with the icons of the illustrator', async () => {
  expect((await finished({ prompt: 'a red fox in a forest' }, 'hamilton')).status).toBe('SUCCEEDED');
});
