/** Variations keep a photograph's composition and follow strength, prompt, style and seed. */
import { afterAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createPool } from '../pool.ts';
import type { Made } from '../raster.ts';
import { selena, type VaryImage } from '../../contract/index.ts';
import { once } from './faces.ts';
import { photo, type PhotoName, smallPhoto } from './photos.ts';
import { composition, differ, mean, pixelsOf, psnr, seams } from './variation-pixels.ts';

// In a thread, as in production: in Jest's realm the same work takes a hundred times as long.
const pool = createPool(1);
afterAll(() => pool.close());

async function vary(params: VaryImage): Promise<Made> {
  const order = { task: 'vary-image', model: 'selena-variete', params } as const;
  return (await pool.run(order, new AbortController().signal)) as Made;
}

const defaults = { prompt: null, style: null, strength: 0.6, seed: 7, seamless: false, nsfw: false } as const;
type Given = Partial<Omit<VaryImage, 'image'>>;

/** Returns a photograph, or the middle half of the coffee, because costs grow with the area. */
const photographed = once(async (name: PhotoName) => {
  if (name !== 'coffee') return photo(name);
  return sharp(await photo(name)).extract({ left: 0, top: 100, width: 600, height: 200 }).png().toBuffer(); // prettier-ignore
});

async function params(given: Given = {}, name: PhotoName = 'coffee'): Promise<VaryImage> {
  const image = { bytes: await photographed(name), contentType: 'image/png', width: 0, height: 0 } as const;
  return { image, outputFormat: 'png', ...defaults, ...given };
}

/** Makes each variation once, for all tests that look at it. */
const made = once(async (key: string) => {
  const [given, name] = JSON.parse(key) as [Given, PhotoName];
  const { bytes } = await vary(await params(given, name));
  return { bytes, pixels: await pixelsOf(bytes) };
});
const keyOf = (given: Given, name: PhotoName) => JSON.stringify([{ ...defaults, ...given }, name]);

const varied = async (given: Given = {}, name: PhotoName = 'coffee') => (await made(keyOf(given, name))).pixels;

type Mean = ReturnType<typeof mean>;
const original = once(async (name: PhotoName) => pixelsOf(await photographed(name)));

test.each(['astronaut', 'chelsea', 'rocket'] as const)('strength 0 does not change %s', async (name) => {
  expect(
    psnr(await varied({ strength: 0, prompt: 'at night', style: 'oil' }, name), await original(name)),
  ).toBeGreaterThan(50);
});

test.each([null, 'anime'])('style %s differs more from the photograph as strength grows', async (style) => {
  const source = await original('coffee');
  const pictures = [0, 0.1, 0.3, 0.6, 1].map((strength) => varied({ strength, style }));
  const away = (await Promise.all(pictures)).map((picture) => differ(source, picture));
  expect(away).toEqual([...away].sort((a, b) => a - b));
  expect(away[1]).toBeLessThan(6);
  expect(away[3]).toBeGreaterThan(9);
  expect(away[4]! - away[3]!).toBeGreaterThan(2);
});

test.each(['astronaut', 'coffee'] as const)('%s keeps its composition', async (name) => {
  const source = await original(name);
  expect(composition(source, await varied({}, name))).toBeGreaterThan(0.9);
  expect(composition(source, await varied({ style: 'oil', prompt: 'at sunset' }, name))).toBeGreaterThan(0.7);
  expect(composition(source, await varied({ strength: 1 }, name))).toBeGreaterThan(0.7);
});

const styles = selena.styles.filter((s) => !s.seamless).map((s) => s.id);

test('any two styles differ visibly', async () => {
  const alike: string[] = [];
  const made = await Promise.all([null, ...styles].map(async (style) => [style, await varied({ style })] as const));
  for (const [i, [a, one]] of made.entries())
    for (const [b, two] of made.slice(i + 1)) if (differ(one, two) < 5) alike.push(`${a} / ${b}`);
  expect(alike).toEqual([]);
});

test('seeds differ visibly', async () => {
  const made = await Promise.all([1, 2, defaults.seed].map((seed) => varied({ seed })));
  for (const [i, one] of made.entries())
    for (const two of made.slice(i + 1)) expect(differ(one, two)).toBeGreaterThan(5);
});

test.each([
  ['rocket', { prompt: 'in the snow' }],
  ['coffee', { style: 'infiny-flow', seamless: true }],
] as const)('the same seed makes the same bytes of %s with %j', async (name, given) => {
  const { bytes } = await made(keyOf(given, name));
  expect(Buffer.compare(bytes, (await vary(await params(given, name))).bytes)).toBe(0);
});

test.each(['coffee', 'rocket'] as const)('the prompt shows in %s', async (name) => {
  const prompts = [null, 'at night', 'in autumn', 'in the snow', 'in teal'];
  const [plain, night, autumn, snow, teal] = (
    await Promise.all(prompts.map((prompt) => varied(prompt === null ? {} : { prompt }, name)))
  ).map((picture) => mean(picture)) as [Mean, Mean, Mean, Mean, Mean];
  // The rocket was photographed at dusk: its night brings a moon and is no darker.
  if (name !== 'rocket') expect(night.light).toBeLessThan(plain.light * 0.75);
  expect(autumn.r - autumn.b).toBeGreaterThan(plain.r - plain.b + 4);
  expect(snow.light).toBeGreaterThan(plain.light + 4);
  expect(snow.chroma).toBeLessThan(plain.chroma * 0.8);
  expect(teal.r - teal.b).toBeLessThan(plain.r - plain.b - 10);
});

test('a sunset colours the sky', async () => {
  const [plain, sunset] = [await varied({}, 'rocket'), await varied({ prompt: 'at sunset' }, 'rocket')];
  const sky = { left: 0.55, top: 0.05, width: 0.1, height: 0.4 };
  expect(mean(sunset, sky).r - mean(sunset, sky).b).toBeGreaterThan(mean(plain, sky).r - mean(plain, sky).b + 40);
});

test('flying subjects appear only in a photograph with a sky', async () => {
  const given = { prompt: 'hot air balloons' };
  expect(differ(await varied(given, 'rocket'), await varied({}, 'rocket'))).toBeGreaterThan(0.4);
  expect(differ(await varied(given, 'coffee'), await varied({}, 'coffee'))).toBe(0);
});

test.each([
  ...['infiny-weave', 'infiny-pattern', 'infiny-flow'].map((style) => ({
    style,
    name: 'coffee' as const,
    strength: 0.6,
  })),
  { style: null, name: 'chelsea' as const, strength: 0.6 },
  { style: 'oil', name: 'coffee' as const, strength: 0.3 },
  { style: 'infiny-flow', name: 'hopper' as const, strength: 0 },
])('$name in $style at strength $strength has no visible seam', async ({ name, ...given }) => {
  const tile = await varied({ ...given, seamless: true }, name);
  for (const { seam, ordinary } of seams(tile)) expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
  // The photograph itself does not, and its colours are in the tile.
  const source = await original(name);
  expect(Math.max(...seams(source).map(({ seam, ordinary }) => seam / ordinary))).toBeGreaterThan(2);
  const [a, b] = [mean(tile), mean(source)];
  expect(Math.abs(a.r - a.b - (b.r - b.b))).toBeLessThan(40);
});

test('returns every size in every format', async () => {
  const image = { contentType: 'image/png' as const, width: 0, height: 0 };
  for (const [width, height, outputFormat] of [
    [1, 1, 'png'],
    [64, 37, 'webp'],
    [1500, 100, 'jpeg'],
  ] as const) {
    const bytes = await sharp(await photo('coffee'))
      .resize(width, height, { fit: 'fill' })
      .png()
      .toBuffer();
    const made = await vary({ ...(await params({ outputFormat, style: 'oil' })), image: { ...image, bytes } });
    expect(made).toMatchObject({ model: 'local/repaint', width, height, seed: 7 });
    expect(await pixelsOf(made.bytes)).toMatchObject({ width, height, format: outputFormat });
    const tile = await vary({ ...(await params({ outputFormat, style: 'infiny-weave' })), image: { ...image, bytes } });
    expect(await pixelsOf(tile.bytes)).toMatchObject({ width, height, format: outputFormat });
  }
});

test('keeps the alpha', async () => {
  const cut = sharp(await smallPhoto('coffee')).ensureAlpha(0.5);
  const bytes = await cut.png().toBuffer();
  const image = { bytes, contentType: 'image/png' as const, width: 0, height: 0 };
  const cutOut = async (given: Given) => pixelsOf((await vary({ ...(await params(given)), image })).bytes);
  const png = await cutOut({});
  expect(png.channels).toBe(4);
  const alpha = ({ data }: { data: Uint8Array }) => data.filter((_, i) => i % 4 === 3);
  expect(Buffer.compare(alpha(png), alpha(await pixelsOf(bytes)))).toBe(0);
  expect(await cutOut({ outputFormat: 'jpeg' })).toMatchObject({ channels: 3 });
});
