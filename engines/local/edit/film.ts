/** Adds the traces of film and lenses: grain, and corners darker than the middle. */
import type { Raster } from '../raster.ts';
import { smoothstep, toByte } from '../pixels/range.ts';
import { lumaAt } from '../pixels/luma.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { lattice } from '../sketch/noise.ts';

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
