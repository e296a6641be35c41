/** Depth: what is nearer is brighter, in a drawn scene whose depths are known and on photographs. */
import { createRequire } from 'node:module';
import { afterAll, expect, test } from '@jest/globals';
import type { Sharp, SharpOptions } from 'sharp';
import { createPool } from '../pool.ts';
import type { Made } from '../raster.ts';
import { once } from './faces.ts';
import { halfPhoto, type PhotoName } from './photos.ts';

type OpenImage = (input: Uint8Array, options?: SharpOptions) => Sharp;
const sharp = createRequire(new URL('../index.ts', import.meta.url))('sharp') as OpenImage;

/** In a thread, as in production: the network's tensors cannot be made of the arrays of Jest's realm. */
const pool = createPool(1);
afterAll(() => pool.close());

interface Depth {
  width: number;
  height: number;
  /** Mean of a part given by fractions of the width and height. */
  mean(x0: number, y0: number, x1: number, y1: number): number;
  data: Uint8Array;
}

async function depthOf(bytes: Uint8Array): Promise<Depth> {
  const { width, height, format } = await sharp(bytes).metadata();
  const contentType = format === 'png' ? 'image/png' : 'image/jpeg';
  const image = { bytes, contentType, width, height } as const;
  const order = {
    task: 'estimate-depth',
    model: 'depth-map',
    params: { image, nsfw: false, outputFormat: 'png' },
  } as const;
  const made = (await pool.run(order, new AbortController().signal)) as Made;
  expect(made).toMatchObject({ model: 'local/depth-heuristic', width, height, seed: null });
  expect(await sharp(made.bytes).metadata()).toMatchObject({ channels: 1, depth: 'uchar', width, height });
  const data = await sharp(made.bytes).toColourspace('b-w').raw().toBuffer();
  const mean = (x0: number, y0: number, x1: number, y1: number) => {
    let [sum, count] = [0, 0];
    for (let y = Math.floor(y0 * height); y < y1 * height; y++) {
      for (let x = Math.floor(x0 * width); x < x1 * width; x++, count++) sum += data[y * width + x]!;
    }
    return sum / count;
  };
  return { width, height, mean, data };
}

/** Estimates each photograph's depth once, for all tests. */
const depthOfPhoto = once(async (name: PhotoName) => depthOf(await halfPhoto(name)));

/** A meadow under a sky, with three houses of different distance and the haze that belongs to it. */
const scene = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 800 600">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4f8fdc"/><stop offset="1" stop-color="#dfeaf5"/></linearGradient>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c3d3c0"/><stop offset="1" stop-color="#2f6b25"/></linearGradient>
  </defs>
  <rect width="800" height="240" fill="url(#sky)"/>
  <rect y="240" width="800" height="360" fill="url(#ground)"/>
  <rect x="560" y="225" width="50" height="45" fill="#c8c3c4"/>
  <rect x="330" y="230" width="100" height="110" fill="#b08a80"/>
  <rect x="80" y="230" width="190" height="270" fill="#8c3524"/>
</svg>`);

test('orders a drawn scene as it was drawn', async () => {
  const depth = await depthOf(await sharp(scene).png().toBuffer());
  const sky = depth.mean(0, 0, 1, 0.25);
  const far = depth.mean(0.71, 0.39, 0.75, 0.43);
  const middle = depth.mean(0.43, 0.4, 0.52, 0.55);
  const near = depth.mean(0.12, 0.4, 0.32, 0.8);
  expect(sky).toBeLessThan(20);
  expect(far).toBeGreaterThan(sky + 10);
  expect(middle).toBeGreaterThan(far + 15);
  expect(near).toBeGreaterThan(middle + 40);
  // A house is as near above as below; the meadow comes nearer from row to row.
  expect(Math.abs(depth.mean(0.14, 0.42, 0.3, 0.5) - depth.mean(0.14, 0.72, 0.3, 0.8))).toBeLessThan(40);
  const meadow = [0.5, 0.6, 0.7, 0.8, 0.9].map((y) => depth.mean(0.8, y, 1, y + 0.05));
  expect(meadow).toEqual(meadow.toSorted((a, b) => a - b));
  expect(depth.mean(0, 0.97, 1, 1)).toBeGreaterThan(220);
});

type Part = [x0: number, y0: number, x1: number, y1: number];
const pairs: [PhotoName, nearer: string, farther: string, near: Part, far: Part][] = [
  ['astronaut', 'her face', 'the wall', [0.36, 0.15, 0.48, 0.33], [0.56, 0.05, 0.7, 0.3]],
  ['astronaut', 'her suit', 'the model of the shuttle', [0.25, 0.55, 0.55, 0.9], [0.75, 0.1, 0.9, 0.4]],
  ['chelsea', 'the cat', 'the room', [0.3, 0.3, 0.6, 0.8], [0.88, 0.1, 0.99, 0.5]],
  ['coffee', 'the cup', 'the corner behind it', [0.3, 0.2, 0.65, 0.6], [0.02, 0.02, 0.2, 0.12]],
  ['rocket', 'the rocket', 'the sky', [0.48, 0.4, 0.51, 0.8], [0.55, 0.05, 0.8, 0.3]],
];

test.each(pairs)('%s: %s is nearer than %s', async (name, _nearer, _farther, near, far) => {
  const depth = await depthOfPhoto(name);
  expect(depth.mean(...near)).toBeGreaterThan(depth.mean(...far) + 60);
});

test('uses the whole range, and returns the same map again', async () => {
  const [one, other] = [await depthOfPhoto('coffee'), await depthOf(await halfPhoto('coffee'))];
  const sorted = one.data.toSorted();
  expect(sorted[Math.floor(sorted.length * 0.02)]).toBeLessThan(20);
  expect(sorted[Math.floor(sorted.length * 0.98)]).toBeGreaterThan(235);
  expect(Buffer.compare(Buffer.from(one.data), Buffer.from(other.data))).toBe(0);
});

test('follows the edge of the astronaut', async () => {
  const depth = await depthOfPhoto('astronaut');
  // From her hair to the wall beside it, in 5 % of the width.
  expect(depth.mean(0.5, 0.1, 0.53, 0.13) - depth.mean(0.58, 0.1, 0.61, 0.13)).toBeGreaterThan(100);
});

test('returns the greatest distance for transparent pixels', async () => {
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="120" r="60" fill="#c63"/></svg>`;
  const depth = await depthOf(await sharp(Buffer.from(drawn)).png().toBuffer());
  expect(depth.mean(0, 0, 1, 0.2)).toBe(0);
  expect(depth.mean(0.4, 0.4, 0.6, 0.8)).toBeGreaterThan(40);
});
