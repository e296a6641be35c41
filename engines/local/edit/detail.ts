/** Filters over the whole picture: for sharpness, blur, local contrast, glow, noise, grain, corners and mosaics. */
import sharp from 'sharp';
import { alphaOf, opaque, withAlpha } from '../pixels/alpha.ts';
import { guided } from '../pixels/guided.ts';
import { lumaAt, lumaOf } from '../pixels/luma.ts';
import { noiseOf } from '../pixels/noise.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { enlargedRows, plane } from '../pixels/plane.ts';
import { clamp, smoothstep, toByte } from '../pixels/range.ts';
import { fitting, resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { lattice } from '../sketch/noise.ts';

/** Sharpens lightness only, so that colour fringes do not grow. */
export async function sharpened(raster: Raster, amount: number): Promise<Raster> {
  const { width, height } = raster;
  const sigma = 0.8 + Math.min(0.8, Math.sqrt(width * height) / 4000);
  const colours = await sharp(opaque(raster).data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
    .sharpen({ sigma, m1: 0.6 * amount, m2: 3.2 * amount, x1: 2, y2: 8, y3: 14 })
    .raw()
    .toBuffer();
  return withAlpha({ ...raster, channels: 3, data: colours }, alphaOf(raster));
}

/** Longer side at which `clarified` measures surroundings, in pixels. */
const workSize = 900;
/** Variance of the colours below which `clarified` counts an area as flat. */
const flat = 0.036;

/** Strengthens differences from the surroundings; a guided filter excludes edges. */
export async function clarified(raster: Raster, amount: number): Promise<Raster> {
  const small = opaque(await resized(raster, fitting(raster, workSize, 2)));
  const { width, height } = small;
  const radius = Math.max(2, Math.round(Math.max(width, height) / 36));
  const light = lumaOf(small.data).map((value) => value / 255);
  const around = guided(plane(width, height, light), small, raster, radius, flat).data;
  const data = new Uint8Array(raster.data);
  for (let i = 0, o = 0; i < around.length; i++, o += 4) {
    const l = lumaAt(raster.data, o) / 255;
    const detail = l - around[i]! / 255;
    const middle = 0.35 + 2.6 * l * (1 - l);
    const gain = clamp(1 + (detail * amount * 1.5 * middle) / Math.max(0.08, l), 0.6, 1.8);
    for (let k = 0; k < 3; k++) data[o + k] = toByte(data[o + k]! * gain);
  }
  return { ...raster, data };
}

const signed = (x: number, y: number, seed: number): number => 2 * lattice(x, y, seed) - 1;

/** Adds grain, strongest in the middle tones, as on film, and as coarse on a large picture as on a small one. */
export function grained(raster: Raster, amount: number, seed: number): Raster {
  const { width, height } = raster;
  const size = Math.max(1, Math.sqrt(width * height) / 900);
  const [w, h] = [Math.ceil(width / size), Math.ceil(height / size)];
  const coarse = Float32Array.from({ length: w * h }, (_, i) => signed(i % w, Math.floor(i / w), seed));
  const row = enlargedRows({ width: w, height: h, channels: 1, data: coarse }, raster);
  const data = new Uint8Array(raster.data);
  for (let y = 0; y < height; y++) {
    const line = row(y);
    for (let x = 0; x < width; x++) {
      const o = (y * width + x) * 4;
      const light = lumaAt(data, o) / 255;
      const grain = line[x]! * 0.75 + signed(x, y, seed ^ 0x5bd1e995) * 0.4;
      const dose = grain * amount * 46 * (0.35 + 2.6 * light * (1 - light));
      for (let k = 0; k < 3; k++) data[o + k] = toByte(data[o + k]! + dose);
    }
  }
  return { ...raster, data };
}

/** Darkens the corners; a negative amount lightens corners that a lens has darkened. */
export function vignetted(raster: Raster, amount: number): Raster {
  const { width, height } = raster;
  const data = new Uint8Array(raster.data);
  const columns = Float64Array.from({ length: width }, (_, x) => ((2 * x + 1) / width - 1) ** 2);
  for (let y = 0; y < height; y++) {
    const dy = ((2 * y + 1) / height - 1) ** 2;
    for (let x = 0; x < width; x++) {
      const fall = smoothstep(0.25, 2, columns[x]! + dy);
      const gain = amount >= 0 ? (1 - 0.85 * Math.min(1.15, amount) * fall) ** 0.8 : 1 - 0.55 * amount * fall;
      const o = (y * width + x) * 4;
      for (let k = 0; k < 3; k++) data[o + k] = toByte(data[o + k]! * gain);
    }
  }
  return { ...raster, data };
}

/**
 * Blurs at a reduced size, because a wide blur takes long.
 * @param sigma pixels
 */
export async function blurred(raster: Raster, sigma: number): Promise<Raster> {
  const scale = Math.min(1, 3 / sigma);
  const side = (length: number) => Math.max(2, Math.round(length * scale));
  const small = await resized(raster, { width: side(raster.width), height: side(raster.height) });
  const data = await sharp(small.data, { raw: small })
    .blur(Math.max(1, sigma * scale))
    .raw()
    .toBuffer();
  return resized({ ...small, data }, raster, 'linear');
}

/** @param block pixels */
export async function pixelated(raster: Raster, block: number): Promise<Raster> {
  const [w, h] = [Math.max(1, Math.round(raster.width / block)), Math.max(1, Math.round(raster.height / block))];
  const small = await resized(raster, { width: w, height: h }, 'linear');
  return resized(small, raster, 'nearest');
}

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

/** Passes of the filter for noise: several narrow ones leave fewer specks than a wide one. */
const rounds = 3;

/** Removes noise with a bilateral filter, which keeps edges. */
export function denoised(raster: Raster, amount: number): Raster {
  const { width, height } = raster;
  const deviation = 1.9 * (1 + amount) * Math.max(1.5, noiseOf(raster));
  return inOpenCv(({ cv, bytes, empty }) => {
    let [from, to] = [bytes(opaque(raster).data, width, height, 3), empty()];
    for (let round = 0; round < rounds; round++) {
      cv.bilateralFilter(from, to, 7, deviation, 1.6, cv.BORDER_REPLICATE);
      [from, to] = [to, from];
    }
    return withAlpha({ ...raster, channels: 3, data: from.data }, alphaOf(raster));
  });
}
