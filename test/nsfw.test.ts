/** `nsfw: false` keeps out what the word list and the classifier name, in inputs and results; `true` lets it through. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { create, ended } from './support/client.ts';
import { marble, refusedMarble } from './support/marble.ts';
import { dataUri, photo } from './support/photos.ts';
import { startSharedStack } from './support/shared.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
let refused: string;

beforeAll(async () => {
  stack = await startSharedStack();
  refused = dataUri(await marble(refusedMarble));
});
afterAll(() => stack.stop());

async function outcome(operation: string, body: Record<string, unknown>) {
  const { id } = await create(stack, body, operation);
  const { status, errorCode } = await ended(stack, id, 50_000);
  return [status, errorCode];
}

const onImages: [string, object][] = [
  ['detailer-upscaler', {}],
  ['remove-background', {}],
  ['segmentation', { points: [{ x: 100, y: 100, label: 1 }] }],
  ['depth-map', {}],
  ['photo-pilot', { instruction: 'brighter' }],
  ['selena-variete', {}],
  ['face-refiner', {}],
];

test.each(onImages)('%s refuses an input that the classifier refuses', async (operation, body) => {
  expect(await outcome(operation, { ...body, image: refused })).toEqual(['FAILED', 'content_refused']);
});

test('either image of face-swap', async () => {
  const harmless = dataUri(await photo('hopper'));
  const images = [
    { sourceImage: refused, targetImage: harmless },
    { sourceImage: harmless, targetImage: refused },
  ];
  for (const body of images) expect(await outcome('face-swap', body)).toEqual(['FAILED', 'content_refused']);
});

test('nsfw: true lets the same image through', async () => {
  for (const [operation, body] of [onImages[0]!, onImages[3]!]) {
    expect(await outcome(operation, { ...body, image: refused, nsfw: true })).toEqual(['SUCCEEDED', null]);
  }
});

test.each([
  ['selena', { prompt: 'a naked person in a meadow', width: 256, height: 256 }],
  ['selena', { prompt: 'a naked person in a meadow', promptMode: 'seer', width: 256, height: 256 }],
])('%s %j: the word list', async (operation, body) => {
  expect(await outcome(operation, body)).toEqual(['FAILED', 'content_refused']);
  expect((await outcome(operation, { ...body, nsfw: true }))[0]).toBe('SUCCEEDED');
});

test('the word list holds for variations and instructions, too', async () => {
  const image = dataUri(await photo('coffee'));
  for (const [operation, body] of [
    ['selena-variete', { prompt: 'erotic art' }],
    ['photo-pilot', { instruction: 'make the person naked' }],
    ['segmentation', { prompts: ['genitals'] }],
  ] as const) {
    expect(await outcome(operation, { ...body, image })).toEqual(['FAILED', 'content_refused']);
  }
});
