/** When one of several models fails, the artwork succeeds with the others and says which failed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { errors } from '../schemas/errors.ts';
import { faceModels } from '../schemas/face-models.ts';
import { create, ended } from './support/client.ts';
import { dataUri, photo } from './support/photos.ts';
import { startSharedStack } from './support/shared.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workerEntry: 'test/support/half-broken-worker.ts' });
});
afterAll(() => stack.stop());

const { status, message } = errors.provider_rejected;

test('face-refiner: the failing model is listed, the others count', async () => {
  const { id } = await create(stack, { image: dataUri(await photo('hopper')) }, 'face-refiner');
  const artwork = await ended(stack, id);
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', error: null, errorCode: null });
  expect(artwork.images).toHaveLength(faceModels.length - 1);
  expect(artwork.failures).toEqual([
    { model: 'face-clarity', errorCode: 'provider_rejected', error: { status, message } },
  ]);
});

test('face-refiner with only that model fails', async () => {
  const body = { image: dataUri(await photo('hopper')), model: 'face-clarity' };
  const { id } = await create(stack, body, 'face-refiner');
  const artwork = await ended(stack, id);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'provider_rejected', error: { status, message } });
  expect(artwork.failures).toBeUndefined();
});
