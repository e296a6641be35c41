/** Every operation on images over HTTP, on real photographs: geometry, roles, formats, failures, events. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import type { ArtworkView } from '../schemas/artwork.ts';
import { faceModels } from '../schemas/face-models.ts';
import { create, ended } from './support/client.ts';
import { dataUri, halfPhoto, type PhotoName, smallPhoto } from '../engines/local/test/photos.ts';
import { turned } from './support/pictures.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { joinService } from './support/shared.ts';
import type { Service } from './support/stack.ts';

// Other test files use the same worker.
jest.setTimeout(120_000);

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('embedded'), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
});

const of = async (name: PhotoName) => dataUri(await halfPhoto(name));
const small = async (name: PhotoName) => dataUri(await smallPhoto(name));

async function make(operation: string, body: Record<string, unknown>): Promise<ArtworkView> {
  const { id } = await create(service, { ...body, webhookUrl: receiver.url }, operation);
  return ended(service, id, 55_000);
}

async function file(artwork: ArtworkView, index = 0) {
  const { url, contentType, sha256, width, height } = artwork.images[index]!;
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe(contentType);
  const metadata = await sharp(bytes).metadata();
  expect([metadata.width, metadata.height]).toEqual([width, height]);
  expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
  return { ...metadata, sha256, bytes };
}

interface Expected {
  role?: string;
  size: [width: number, height: number];
  model: RegExp;
}

const one: [string, (body: Record<string, unknown>) => Promise<Record<string, unknown>>, Expected][] = [
  [
    'selena-variete',
    async (body) => ({ ...body, image: await of('coffee'), style: 'watercolor' }),
    { size: [300, 200], model: /^local\/repaint$/ },
  ],
  [
    'photo-pilot',
    async (body) => ({ ...body, image: await of('coffee'), instruction: 'make it warmer' }),
    { size: [300, 200], model: /^local\/darkroom$/ },
  ],
  [
    'face-swap',
    async (body) => ({ ...body, sourceImage: await of('hopper'), targetImage: await of('astronaut') }),
    { size: [256, 256], model: /^local\/face-mesh$/ },
  ],
  [
    'upscaling',
    async (body) => ({ ...body, image: await small('chelsea') }),
    { size: [300, 200], model: /^local\/esrgan/ },
  ],
  [
    'detailer-upscaler',
    async (body) => ({ ...body, image: await small('chelsea') }),
    { size: [150, 100], model: /^local\/esrgan/ },
  ],
  [
    'remove-background',
    async (body) => ({ ...body, image: await of('chelsea') }),
    { size: [226, 150], model: /^local\// },
  ],
  [
    'segmentation',
    async (body) => ({ ...body, image: await of('chelsea'), points: [{ x: 113, y: 75, label: 1 }] }),
    { role: 'mask', size: [226, 150], model: /^local\// },
  ],
  [
    'depth-map',
    async (body) => ({ ...body, image: await of('coffee') }),
    { role: 'depth', size: [300, 200], model: /^local\/depth-heuristic$/ },
  ],
];

test.each(one)(
  '%s: returns one image and sends one verified event',
  async (operation, bodyOf, { role = 'image', size, model }) => {
    const artwork = await make(operation, await bodyOf({ outputFormat: 'png' }));
    expect(artwork).toMatchObject({ status: 'SUCCEEDED', operation, error: null });
    expect(artwork.images).toEqual([
      expect.objectContaining({ role, width: size[0], height: size[1], model: expect.stringMatching(model) }),
    ]);
    expect((await file(artwork)).format).toBe('png');
    const [delivery] = await receiver.until(artwork.id);
    expect(
      new Webhook(service.webhookSecret).verify(delivery!.raw, delivery!.headers as Record<string, string>),
    ).toMatchObject({
      type: 'artwork.succeeded',
      images: artwork.images,
    });
  },
);

test('depth maps and masks are grey with 8 bits; cut-outs have alpha', async () => {
  const depth = await file(await make('depth-map', { image: await of('rocket') }));
  expect([depth.channels, depth.depth, depth.space]).toEqual([1, 'uchar', 'b-w']);
  const mask = await file(await make('segmentation', { image: await of('astronaut'), prompts: ['person'] }));
  expect([mask.channels, mask.depth]).toEqual([1, 'uchar']);
  const cut = await file(await make('remove-background', { image: await of('astronaut'), outputFormat: 'webp' }));
  expect([cut.format, cut.hasAlpha]).toEqual(['webp', true]);
});

test('returns jpeg and webp where there is no alpha', async () => {
  for (const outputFormat of ['jpeg', 'webp']) {
    const artwork = await make('detailer-upscaler', { image: await small('coffee'), outputFormat });
    expect((await file(artwork)).format).toBe(outputFormat);
  }
});

test('face-refiner runs one model or all of them, with one image each', async () => {
  const all = await make('face-refiner', { image: await of('hopper') });
  expect(all.status).toBe('SUCCEEDED');
  expect(all.failures).toBeUndefined();
  expect(all.images.map(({ model }) => model).sort()).toEqual(faceModels.map(({ id }) => `local/${id}`).sort());
  expect(new Set(all.images.map(({ sha256 }) => sha256)).size).toBe(faceModels.length);
  const single = await make('face-refiner', { image: await of('hopper'), model: 'face-natural' });
  expect(single.images.map(({ model }) => model)).toEqual(['local/face-natural']);
});

test('face_not_found names the image without a face', async () => {
  const refined = await make('face-refiner', { image: await of('coffee') });
  expect([refined.status, refined.errorCode]).toEqual(['FAILED', 'face_not_found']);
  const swapped = await make('face-swap', { sourceImage: await of('coffee'), targetImage: await of('astronaut') });
  expect([swapped.errorCode, swapped.error]).toEqual([
    'face_not_found',
    { status: 422, message: expect.stringContaining('source') },
  ]);
  const target = await make('face-swap', { sourceImage: await of('astronaut'), targetImage: await of('coffee') });
  expect(target.error!.message).toContain('target');
});

test('segmentation returns a mask for each prompt and lists the prompts not found as failures', async () => {
  const artwork = await make('segmentation', { image: await of('astronaut'), prompts: ['person', 'giraffe', 'face'] });
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork.images.map(({ role }) => role)).toEqual(['mask', 'mask']);
  expect(artwork.failures).toEqual([
    {
      model: 'segmentation',
      errorCode: 'input_invalid',
      error: { status: 422, message: expect.stringContaining('giraffe') },
    },
  ]);
  const unknown = await make('segmentation', { image: await of('coffee'), prompts: ['zeppelin'] });
  expect([unknown.status, unknown.errorCode]).toEqual(['FAILED', 'input_invalid']);
  expect(unknown.error!.message).toMatch(/cup.*person|person.*cup/);
});

test('photo-pilot rejects an unsupported instruction with the supported ones, and keeps the aspect ratio', async () => {
  const refused = await make('photo-pilot', { image: await of('coffee'), instruction: 'let the cup sing an aria' });
  expect([refused.status, refused.errorCode]).toEqual(['FAILED', 'input_invalid']);
  expect(refused.error!.message).toMatch(/background/);
  const instruction = 'replace the background with Anna Meier';
  const nobody = await make('photo-pilot', { image: await of('chelsea'), instruction });
  expect([nobody.errorCode, nobody.error!.message]).toEqual(['input_invalid', expect.stringContaining('beach')]);
  const wide = await make('photo-pilot', { image: await of('coffee'), instruction: 'brighter', aspectRatio: '16:9' });
  const { width, height } = await file(wide);
  expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.02);
});

test('the same seed gives the same bytes', async () => {
  const body = { image: await small('chelsea'), style: 'oil', seed: 5 };
  const [first, second, third] = await Promise.all([
    make('selena-variete', body),
    make('selena-variete', body),
    make('selena-variete', { ...body, seed: 6 }),
  ]);
  expect(second.images[0]!.sha256).toBe(first.images[0]!.sha256);
  expect(third.images[0]!.sha256).not.toBe(first.images[0]!.sha256);
  expect(first.images[0]!.seed).toBe(5);
  expect(first.input).toMatchObject({ seed: 5, strength: 0.6, promptMode: 'servitor' });
});

test('selena-variete enhances its prompt in the mode seer and shows the prompt that was sent', async () => {
  const artwork = await make('selena-variete', {
    image: await small('coffee'),
    prompt: 'at night',
    promptMode: 'seer',
  });
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork.prompt).toContain('at night');
  expect(artwork.prompt!.length).toBeGreaterThan('at night'.length);
});

test('applies the EXIF orientation of an input', async () => {
  const artwork = await make('upscaling', { image: dataUri(await turned(6)) });
  expect(artwork.images[0]).toMatchObject({ width: 160, height: 240 });
  const { bytes } = await file(artwork);
  const [r, , b] = await sharp(bytes).extract({ left: 80, top: 20, width: 1, height: 1 }).raw().toBuffer();
  expect(r! - b!).toBeGreaterThan(100);
});
