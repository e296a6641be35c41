/** Sharpens contours, adds glow, and raises local contrast without halos. */
import sharp from 'sharp';
import { opaque } from '../pixels/alpha.ts';
import { linesOf } from '../pixels/guided.ts';
import { enlargedRows, plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { withColours } from './picture.ts';
import { blurred } from './soften.ts';
import { clamp, toByte } from '../pixels/range.ts';
import { lumaAt, lumaOf } from '../pixels/luma.ts';

/** Sharpens lightness only, so that colour fringes do not grow. */
export async function sharpened(raster: Raster, amount: number): Promise<Raster> {
  const { width, height } = raster;
  const sigma = 0.8 + Math.min(0.8, Math.sqrt(width * height) / 4000);
  const colours = await sharp(opaque(raster).data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
    .sharpen({ sigma, m1: 0.6 * amount, m2: 3.2 * amount, x1: 2, y2: 8, y3: 14 })
    .raw()
    .toBuffer();
  return withColours(raster, colours);
}

/** Longer side at which `clarified` measures surroundings, in pixels. */
const workSize = 900;

/** Lets light spill over edges, as through a soft lens. */
export async function glowing(raster: Raster, amount: number): Promise<Raster> {
  const soft = await blurred(raster, Math.max(1, Math.max(raster.width, raster.height) * 0.012));
  const data = new Uint8Array(raster.data);
  const [even, bright] = [Math.min(0.6, 0.45 * amount), Math.min(0.5, 0.35 * amount)];
  for (let i = 0; i < data.length; i++) {
    if (i % 4 === 3) continue;
    const mixed = data[i]! + (soft.data[i]! - data[i]!) * even;
    const screen = 255 - ((255 - mixed) * (255 - soft.data[i]!)) / 255;
    data[i] = Math.round(mixed + (screen - mixed) * bright);
  }
  return { ...raster, data };
}

/** Strengthens differences from the surroundings; a guided filter excludes edges. */
export async function clarified(raster: Raster, amount: number): Promise<Raster> {
  const { width, height } = raster;
  const small = await resized(raster, fitting(raster, workSize, 2));
  const light = plane(
    small.width,
    small.height,
    lumaOf(small.data, 4).map((value) => value / 255),
  );
  const radius = Math.max(2, Math.round(Math.max(small.width, small.height) / 36));
  const { slope, offset } = linesOf(light, radius, Math.sqrt(0.012));
  const [slopes, offsets] = [slope, offset].map((values) =>
    enlargedRows({ ...light, channels: 1, data: values }, raster),
  );
  const data = new Uint8Array(raster.data);
  for (let y = 0, o = 0; y < height; y++) {
    const [factor, rest] = [slopes!(y), offsets!(y)];
    for (let x = 0; x < width; x++, o += 4) {
      const l = lumaAt(raster.data, o) / 255;
      const detail = l - (factor[x]! * l + rest[x]!);
      const middle = 0.35 + 2.6 * l * (1 - l);
      const gain = clamp(1 + (detail * amount * 1.5 * middle) / Math.max(0.08, l), 0.6, 1.8);
      for (let k = 0; k < 3; k++) data[o + k] = toByte(data[o + k]! * gain);
    }
  }
  return { ...raster, data };
}
