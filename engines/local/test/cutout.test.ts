/** remove-background keeps the subject, with soft edges and no trace of the old background. */
import { afterAll, expect, jest, test } from '@jest/globals';
import { EngineError, type InputImage } from '../../contract/index.ts';
import { createLocalEngine } from '../index.ts';
import { decode, type Raster } from '../raster.ts';
import { once } from './faces.ts';
import { halfPhoto, type PhotoName } from './photos.ts';
import { blob, channel, disc, drawn, type Drawn, graded, input, overlap, plain, textured } from './cutout-shapes.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, floor, hypot } = Math;

jest.setTimeout(180_000);

const engine = createLocalEngine({ threads: 1 });
afterAll(() => engine.close());

async function cutAgain(image: InputImage): Promise<{ bytes: Uint8Array; model: string; raster: Raster }> {
  const { images, model } = await engine.run(
    {
      model: 'remove-background',
      idempotencyKey: 'test',
      task: 'remove-background',
      params: { image, nsfw: false, outputFormat: 'png' },
    },
    { signal: new AbortController().signal },
  );
  const { bytes } = images![0]!;
  return { bytes, model, raster: await decode({ bytes }) };
}

/** Cuts an image out once for all tests. */
const cutOut = once(cutAgain);

const size = 384;
const meadow = textured([90, 130, 80], 40, size);
const dusk = graded([30, 40, 90], [150, 180, 230], size);
const shapes = {
  'a disc on a meadow': () => drawn(size, disc(205, 180, 100), plain([205, 60, 45]), meadow),
  'a star in the dusk': () => drawn(size, blob(190, 195, 90, 5, 0.35), plain([240, 195, 40]), dusk),
};
const shapeOf = once((name: keyof typeof shapes): Promise<Drawn> => shapes[name]());

test.each(Object.keys(shapes) as (keyof typeof shapes)[])('cuts out %s exactly', async (name) => {
  const { image, truth } = await shapeOf(name);
  const { raster } = await cutOut(image);
  expect([raster.width, raster.height]).toEqual([size, size]);
  expect(overlap(channel(raster, 3), truth)).toBeGreaterThan(0.98);
});

test('keeps edges exact beyond the size at which they are computed', async () => {
  const large = 1080;
  const { image, truth } = await drawn(
    large,
    blob(533, 553, 283, 7, 0.2),
    plain([205, 60, 45]),
    graded([30, 40, 90], [150, 180, 230], large),
  );
  const alpha = channel((await cutOut(image)).raster, 3);
  expect(overlap(alpha, truth)).toBeGreaterThan(0.99);
  let [error, edge] = [0, 0];
  truth.forEach((value, i) => {
    if (value === 0 || value === 255) return;
    error += abs(value - alpha[i]!);
    edge++;
  });
  expect(error / edge).toBeLessThan(15);
});

test('returns soft alpha along the contour and nowhere else', async () => {
  const { image, truth } = await shapeOf('a disc on a meadow');
  const alpha = channel((await cutOut(image)).raster, 3);
  const soft = (distance: (d: number) => boolean) => {
    let [count, all] = [0, 0];
    for (let i = 0; i < truth.length; i++) {
      if (!distance(abs(hypot((i % size) + 0.5 - 205, floor(i / size) + 0.5 - 180) - 100))) continue;
      all++;
      if (alpha[i]! > 0 && alpha[i]! < 255) count++;
    }
    return count / all;
  };
  expect(soft((d) => d < 0.7)).toBeGreaterThan(0.5);
  expect(soft((d) => d > 12)).toBeLessThan(0.001);
});

const front = [205, 60, 45] as const;
const onGreen = drawn(size, disc(205, 180, 100), plain(front), plain([40, 160, 60]));

test.each([
  ['white', 255],
  ['black', 0],
])('shows no halo of the old background on %s', async (_, ground) => {
  const { image, truth } = await onGreen;
  const { data } = (await cutOut(image)).raster;
  let [error, halo, edge] = [0, 0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (truth[i] === 0 || truth[i] === 255) continue;
    edge++;
    const [part, real] = [data[i * 4 + 3]! / 255, truth[i]! / 255];
    for (let c = 0; c < 3; c++) {
      error += abs(data[i * 4 + c]! * part + ground * (1 - part) - front[c]! * real - ground * (1 - real)) / 3;
    }
    if (data[i * 4 + 1]! - front[1] > 30 && part > 0.1) halo++;
  }
  expect(error / edge).toBeLessThan(8);
  expect(halo / edge).toBeLessThan(0.02);
});

const photographs: [PhotoName, { kept: [number, number][]; gone: [number, number][] }][] = [
  // Places as shares of width and height.
  [
    'astronaut',
    {
      kept: [
        [0.44, 0.15],
        [0.4, 0.75],
        [0.75, 0.85],
      ],
      gone: [
        [0.02, 0.05],
        [0.62, 0.1],
        [0.98, 0.05],
        [0.8, 0.25],
      ],
    },
  ],
  [
    'chelsea',
    {
      kept: [
        [0.45, 0.35],
        [0.6, 0.7],
        [0.1, 0.65],
      ],
      gone: [
        [0.97, 0.5],
        [0.98, 0.97],
        [0.02, 0.05],
      ],
    },
  ],
  [
    'rocket',
    {
      kept: [
        [0.5, 0.5],
        [0.5, 0.85],
      ],
      gone: [
        [0.05, 0.05],
        [0.3, 0.6],
        [0.95, 0.5],
        [0.5, 0.1],
      ],
    },
  ],
];

test.each(photographs)('%s: keeps the subject and removes the background', async (name, { kept, gone }) => {
  const bytes = await halfPhoto(name);
  const { width, height } = await decode({ bytes });
  const { raster, model } = await cutOut({ bytes, contentType: 'image/jpeg', width, height });
  expect(model).toBe('local/u2netp');
  const alphaAt = ([x, y]: [number, number]) =>
    raster.data[(Math.floor(y * height) * width + Math.floor(x * width)) * 4 + 3];
  expect(kept.map(alphaAt)).toEqual(kept.map(() => 255));
  expect(gone.map(alphaAt)).toEqual(gone.map(() => 0));
});

test('keeps the alpha of an image that is already transparent', async () => {
  const { pixels, truth } = await shapeOf('a disc on a meadow');
  const data = new Uint8Array(truth.length * 4);
  truth.forEach((alpha, i) => {
    data.set([...pixels.data.subarray(i * 3, i * 3 + 3), alpha], i * 4);
  });
  const { raster } = await cutOut(await input({ width: size, height: size, channels: 4, data }));
  expect(channel(raster, 3)).toEqual(truth);
});

test('rejects an image in which nothing stands out', async () => {
  const { image } = await drawn(128, () => -1, plain([0, 0, 0]), plain([128, 128, 128]));
  const refusal = await cutOut(image).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EngineError);
  expect(refusal).toMatchObject({
    code: 'input_invalid',
    publicMessage: 'No subject stands out from the background. Send an image with a clear subject.',
  });
});

test('returns the same bytes for the same image', async () => {
  // The thread has cut other images out since.
  const { image } = await shapeOf('a star in the dusk');
  expect(Buffer.compare((await cutOut(image)).bytes, (await cutAgain(image)).bytes)).toBe(0);
});
