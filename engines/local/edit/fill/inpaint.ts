/** Fills holes of any size: synthesizes content at a reduced size, and adds copies of real detail at full size. */
import { Random } from '../../sketch/random.ts';
import type { Raster } from '../../raster.ts';
import { boundsOf, crop, grown, within } from '../../pixels/box.ts';
import { enlargedRows } from '../../pixels/plane.ts';
import { clamp, toByte } from '../../pixels/range.ts';
import { fitting, resized } from '../../pixels/resize.ts';
import { synthesise, type Level } from './synthesis.ts';

/** Longer side of the reduced picture in pixels. */
const longest = 560;
/** Halving ends when the shorter side, or the hole's number of pixels, is at most twice this. */
const coarsest = 28;
const smallest = 120;

export interface Hole {
  /** Not 0 inside the hole; of the raster's size. */
  mask: Uint8Array;
  /** Not 0 on pixels that must not be copied. */
  avoid?: Uint8Array | undefined;
  seed: number;
}

/** Returns the filled picture, or the same one if there is no hole or nothing to fill it with. */
export async function inpaint(raster: Raster, { mask, avoid, seed }: Hole): Promise<Raster> {
  const box = boundsOf(mask, raster.width, 0);
  if (!box) return raster;
  // A smaller part of the picture leaves more detail at the reduced size.
  const room = within(grown(box, Math.max(96, Math.round(Math.max(box.width, box.height) * 1.1))), raster);
  const part = <C extends 1 | 4>(channels: C, data: Uint8Array) => crop({ ...raster, channels, data }, room);
  const [known, hole] = [part(4, raster.data), part(1, mask)];
  const shunned = avoid ? part(1, avoid) : { ...hole, data: new Uint8Array(hole.data.length) };
  for (let i = 0; i < hole.data.length; i++) {
    if (known.data[i * 4 + 3]! < 128) shunned.data[i] = 1;
    // The hole is transparent, so that its old content does not colour its rim.
    known.data[i * 4 + 3] = hole.data[i] ? 0 : 255;
  }
  const levels = await levelsOf(known, shunned);
  const made = synthesise(levels, new Random(seed));
  if (!made) return raster;
  const { width, height } = levels[0]!;
  const row = enlargedRows({ width, height, channels: 3, data: made.rgb }, room);
  const plain = await resized(await resized(known, { width, height }, 'linear'), room, 'linear');
  const [kx, ky] = [room.width / width, room.height / height];
  const data = new Uint8Array(raster.data);
  for (let y = 0; y < room.height; y++) {
    const colours = row(y);
    for (let x = 0; x < room.width; x++) {
      if (!hole.data[y * room.width + x]) continue;
      const at = Math.floor(y / ky) * width + Math.floor(x / kx);
      const from = made.match[at]!;
      // Detail is the difference between the copied place and its reduced version.
      const fx = Math.round(x + ((from % width) - (at % width)) * kx);
      const fy = Math.round(y + (Math.floor(from / width) - Math.floor(at / width)) * ky);
      const p = (clamp(fy, 0, room.height - 1) * room.width + clamp(fx, 0, room.width - 1)) * 4;
      const o = ((room.y + y) * raster.width + room.x + x) * 4;
      for (let k = 0; k < 3; k++) {
        const detail = from < 0 ? 0 : known.data[p + k]! - plain.data[p + k]!;
        data[o + k] = toByte(colours[x * 3 + k]! + detail);
      }
      data[o + 3] = 255;
    }
  }
  return { ...raster, data };
}

/** Reduces the picture to a pyramid, the finest level first. */
async function levelsOf(known: Raster, avoid: Raster<1>): Promise<Level[]> {
  const levels: Level[] = [];
  let size = fitting(known, longest, 8);
  for (;;) {
    const { data } = await resized(known, size, 'linear');
    const shunned = await resized({ ...avoid, data: avoid.data.map((value) => (value ? 255 : 0)) }, size, 'linear');
    const count = size.width * size.height;
    const level: Level = {
      ...size,
      rgb: new Float32Array(count * 3),
      hole: new Uint8Array(count),
      avoid: shunned.data.map((value) => (value > 64 ? 1 : 0)),
    };
    for (let i = 0; i < count; i++) {
      if (data[i * 4 + 3]! < (levels.length === 0 ? 255 : 128)) level.hole[i] = 1;
      for (let k = 0; k < 3; k++) level.rgb[i * 3 + k] = data[i * 4 + k]!;
    }
    levels.push(level);
    const pixels = level.hole.reduce((sum, value) => sum + value, 0);
    if (Math.min(size.width, size.height) <= 2 * coarsest || pixels <= 2 * smallest) return levels;
    size = { width: (size.width + 1) >> 1, height: (size.height + 1) >> 1 };
  }
}
