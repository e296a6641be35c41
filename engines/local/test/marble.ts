/**
 * Draws marbled paper. Nothing in it, or anywhere in this repository, is explicit: the network that judges images takes
 * some of the patterns for explicit by mistake, so that tests can show a rejection.
 */
import sharp from 'sharp';
import { hsl, ramp } from '../sketch/colour.ts';
import { fbm } from '../sketch/noise.ts';
import { Random } from '../sketch/random.ts';

/** The seed of a pattern that the service rejects. */
export const refusedMarble = 1668;

/** @returns a PNG of 224×224 pixels */
export async function marble(seed: number): Promise<Buffer> {
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
