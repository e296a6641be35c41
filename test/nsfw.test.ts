/** `nsfw: false` rejects inputs and results that the word list or the classifier flags; `nsfw: true` allows them. */
import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { call, create, ended } from './support/client.ts';
import { marble, refusedMarble } from '../engines/local/test/marble.ts';
import { dataUri, photo } from '../engines/local/test/photos.ts';
import { expectProblem } from './support/problem.ts';
import { joinService } from './support/shared.ts';
import type { Service } from './support/stack.ts';

let service: Service;
let refused: string;

beforeAll(async () => {
  service = await joinService('embedded');
  refused = dataUri(await marble(refusedMarble));
});

async function outcome(operation: string, body: Record<string, unknown>) {
  const { id } = await create(service, body, operation);
  const { status, errorCode } = await ended(service, id, 50_000);
  return [status, errorCode];
}

const onImages: [string, object][] = [
  ['detailer-upscaler', {}],
  ['remove-background', {}],
  ['photo-pilot', { instruction: 'brighter' }],
  ['selena-variete', {}],
  ['face-refiner', {}],
];

test.each(onImages)('%s rejects an input that the classifier rejects', async (operation, body) => {
  expect(await outcome(operation, { ...body, image: refused })).toEqual(['FAILED', 'content_refused']);
});

const hidden: [string, object][] = [
  ['segmentation', { points: [{ x: 100, y: 100, label: 1 }] }],
  ['depth-map', {}],
];

test.each(hidden)('%s accepts the same input, which does not appear in the result', async (operation, body) => {
  expect(await outcome(operation, { ...body, image: refused })).toEqual(['SUCCEEDED', null]);
});

test('photo-pilot accepts it as a mask', async () => {
  const { width, height } = await sharp(Buffer.from(refused.split(',')[1]!, 'base64')).metadata();
  const image = dataUri(
    await sharp(await photo('coffee'))
      .resize(width, height)
      .png()
      .toBuffer(),
  );
  const body = { image, mask: refused, instruction: 'brighter' };
  expect(await outcome('photo-pilot', body)).toEqual(['SUCCEEDED', null]);
});

test('face-swap rejects either image', async () => {
  const harmless = dataUri(await photo('hopper'));
  const images = [
    { sourceImage: refused, targetImage: harmless },
    { sourceImage: harmless, targetImage: refused },
  ];
  for (const body of images) expect(await outcome('face-swap', body)).toEqual(['FAILED', 'content_refused']);
});

test('nsfw: true allows the same image', async () => {
  const [operation, body] = onImages[0]!;
  expect(await outcome(operation, { ...body, image: refused, nsfw: true })).toEqual(['SUCCEEDED', null]);
});

test.each([
  ['selena', { prompt: 'a naked person in a meadow', width: 256, height: 256 }],
  ['selena', { prompt: 'a naked person in a meadow', promptMode: 'seer', width: 256, height: 256 }],
])('%s %j: the word list rejects the prompt', async (operation, body) => {
  expect(await outcome(operation, body)).toEqual(['FAILED', 'content_refused']);
  expect((await outcome(operation, { ...body, nsfw: true }))[0]).toBe('SUCCEEDED');
});

test('the word list applies to variations, instructions and segmentation prompts', async () => {
  const image = dataUri(await photo('coffee'));
  for (const [operation, body] of [
    ['selena-variete', { prompt: 'erotic art' }],
    ['photo-pilot', { instruction: 'make the person naked' }],
    ['segmentation', { prompts: ['genitals'] }],
  ] as const) {
    expect(await outcome(operation, { ...body, image })).toEqual(['FAILED', 'content_refused']);
  }
});

test.each([
  ['textcraft', { task: 'rewrite', prompt: 'A naked person stands in the meadow.' }],
  ['textcraft', { task: 'rewrite', prompt: 'The harbour sleeps at night.', instructions: 'more erotic' }],
  ['style-dna/refine-prompt', { prompt: 'a naked person in a meadow' }],
])('%s %j: the word list rejects a text', async (path, body) => {
  const post = (fields: object) =>
    call(`${service.baseUrl}/v2/${path}`, { method: 'POST', key: service.adminKey, body: fields });
  expectProblem(await post(body), 'content_refused');
  expect((await post({ ...body, nsfw: true })).status).toBe(200);
});
