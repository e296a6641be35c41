/** The judge lets harmless pictures pass, and refuses what its network takes for explicit. */
import { createRequire } from 'node:module';
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../../../engines/local/index.ts';
import { hsl, ramp } from '../../../engines/local/sketch/colour.ts';
import { fbm } from '../../../engines/local/sketch/noise.ts';
import { Random } from '../../../engines/local/sketch/random.ts';
import { hamilton } from '../../../schemas/families/hamilton.ts';
import { quantum } from '../../../schemas/families/quantum.ts';
import { selena } from '../../../schemas/families/selena.ts';
import { photo, photoNames } from '../../support/photos.ts';
import { picture } from './ask.ts';

/** As much of sharp as this test needs; it belongs to the engine's package. */
type Encode = (
  pixels: Uint8Array,
  options: { raw: { width: number; height: number; channels: 3 } },
) => { png(): { toBuffer(): Promise<Uint8Array> } };
const sharp = createRequire(new URL('../../../engines/local/index.ts', import.meta.url))('sharp') as Encode;

/** Above this an image is refused. */
const threshold = 0.8;

const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

async function judge(image: Uint8Array): Promise<number> {
  const { nsfw } = await engine.run(
    { model: 'judge', idempotencyKey: 'test', task: 'judge-image', params: { image } },
    { signal: new AbortController().signal },
  );
  return nsfw!;
}

/**
 * Marbled paper. There is nothing explicit in it, nor anywhere in this repository: some of its patterns merely
 * happen to please the network, and prove the way from pixels to a refusal.
 */
async function marble(seed: number): Promise<Uint8Array> {
  const side = 224;
  const random = new Random(seed);
  const tones = [0, 1, 2, 3].map(() => hsl(random.next(), random.between(0.1, 0.8), random.between(0.1, 0.95)));
  const [fold, twist] = [random.between(1.5, 5), random.between(0.5, 3)];
  const pixels = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [u, v] = [(x / side) * fold, (y / side) * fold];
      const w = fbm(u, v, seed, 3);
      const t = Math.abs(((fbm(u + w * twist, v - w * twist, seed + 9, 4) * 6) % 2) - 1);
      pixels.set(
        ramp(tones, t).map((c) => Math.round(c * 255)),
        (y * side + x) * 3,
      );
    }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

test.each(photoNames)('the photograph %s is harmless', async (name) => {
  expect(await judge(await photo(name))).toBeLessThan(0.1);
});

const families = [selena, quantum, hamilton];
const prompts = ['three people on a beach at sunset', 'a pink and peach abstract pattern'];

test.each(families)('what $family draws is harmless, in every style', async ({ family, styles }) => {
  const refused: string[] = [];
  for (const style of [null, ...styles.map((s) => s.id)])
    for (const prompt of prompts) {
      const score = await judge((await picture(engine, { prompt, style }, family)).bytes);
      if (score >= threshold) refused.push(`${style}, ${prompt}: ${score.toFixed(2)}`);
    }
  expect(refused).toEqual([]);
});

test('what the network takes for explicit is refused', async () => {
  expect(await judge(await marble(1668))).toBeGreaterThan(threshold);
});

test('a suspicion that does not hold when the picture is turned is not enough', async () => {
  // At first sight the network gives this one 0.85.
  const score = await judge(await marble(1627));
  expect(score).toBeGreaterThan(0.5);
  expect(score).toBeLessThan(0.75);
});

test('what is transparent is seen on white', async () => {
  const [plain, transparent] = await Promise.all(
    [false, true].map((transparentBackground) => picture(engine, { prompt: 'a red fox', transparentBackground })),
  );
  expect(await judge(plain!.bytes)).toBeLessThan(0.5);
  expect(await judge(transparent!.bytes)).toBeLessThan(0.5);
});

test('the same image has the same score', async () => {
  const image = await photo('astronaut');
  expect(await judge(image)).toBe(await judge(image));
});
