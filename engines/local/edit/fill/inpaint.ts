/** Fills holes of any size: synthesizes content at a reduced size, and adds copies of real detail at full size. */
import { Random } from '../../sketch/random.ts';
import type { Raster } from '../../raster.ts';
import { type Box, boundsOf, grown, within } from '../../pixels/box.ts';
import { resized } from '../../pixels/resize.ts';
import type { Farness } from './patchmatch.ts';
import { synthesise, type Level } from './synthesis.ts';
import { clamp, toByte } from '../../pixels/range.ts';

const longest = 560;

export interface Hole {
  /** Not 0 inside the hole; of the raster's size. */
  mask: Uint8Array;
  /** Not 0 on pixels that must not be copied. */
  avoid?: Uint8Array | undefined;
  seed: number;
  /** Weight of distance when patches are chosen. */
  farness?: Farness;
}

/** Places above or below differ in light or distance more often than places beside. */
const usual: Farness = { x: 400, y: 2000 };

/** Returns the filled picture, or the same one if there is no hole or nothing to fill it with. */
export async function inpaint(raster: Raster, { mask, avoid, seed, farness = usual }: Hole): Promise<Raster> {
  const box = boundsOf(mask, raster.width, 0);
  if (!box) return raster;
  const room = surroundings(box, raster);
  const scale = Math.min(1, longest / Math.max(room.width, room.height));
  const [width, height] = [Math.max(8, Math.round(room.width * scale)), Math.max(8, Math.round(room.height * scale))];
  const view = cutOut(raster, mask, avoid, room);
  const small = scale === 1 ? view.known : await resized(view.known, { width, height }, 'linear');
  const level: Level = {
    width,
    height,
    rgb: new Float32Array(width * height * 3),
    farness,
    ...coverage(view, width, height),
  };
  for (let i = 0; i < width * height; i++) {
    // The hole is transparent, so that its old content does not colour its rim.
    if (small.data[i * 4 + 3]! < 255 && !level.avoid[i]) level.hole[i] = 1;
    for (let k = 0; k < 3; k++) level.rgb[i * 3 + k] = small.data[i * 4 + k]!;
  }
  const made =
    synthesise(level, new Random(seed)) ??
    synthesise({ ...level, avoid: new Uint8Array(width * height) }, new Random(seed));
  if (!made) return raster;
  const data = new Uint8Array(raster.data);
  const [kx, ky] = [room.width / width, room.height / height];
  const colour = [0, 0, 0];
  for (let y = 0; y < room.height; y++)
    for (let x = 0; x < room.width; x++) {
      const o = (room.y + y) * raster.width + room.x + x;
      if (!mask[o]) continue;
      sampleAt(made.rgb, level, (x + 0.5) / kx - 0.5, (y + 0.5) / ky - 0.5, colour);
      const at = Math.min(height - 1, Math.floor(y / ky)) * width + Math.min(width - 1, Math.floor(x / kx));
      const from = scale < 1 ? made.match[at]! : -1;
      if (from >= 0) {
        // Detail is the difference between the copied place and its reduced version.
        const [sx, sy] = [x / kx - (at % width) + (from % width), y / ky - ((at / width) | 0) + ((from / width) | 0)];
        const [fx, fy] = [
          Math.min(room.width - 1, Math.round(sx * kx)),
          Math.min(room.height - 1, Math.round(sy * ky)),
        ];
        const p = ((room.y + fy) * raster.width + room.x + fx) * 4;
        const plain = [0, 0, 0];
        sampleAt(level.rgb, level, (fx + 0.5) / kx - 0.5, (fy + 0.5) / ky - 0.5, plain);
        for (let k = 0; k < 3; k++) colour[k] = colour[k]! + raster.data[p + k]! - plain[k]!;
      }
      for (let k = 0; k < 3; k++) data[o * 4 + k] = toByte(colour[k]!);
      data[o * 4 + 3] = 255;
    }
  return { ...raster, data };
}

/** Returns the part of the picture to fill a hole from; a smaller part leaves more detail at the reduced size. */
function surroundings(box: Box, raster: Raster): Box {
  return within(grown(box, Math.max(96, Math.round(Math.max(box.width, box.height) * 1.1))), raster);
}

interface View {
  known: Raster;
  hole: Uint8Array;
  avoid: Uint8Array;
}

function cutOut(raster: Raster, mask: Uint8Array, avoid: Uint8Array | undefined, room: Box): View {
  const count = room.width * room.height;
  const view = { data: new Uint8Array(count * 4), hole: new Uint8Array(count), avoid: new Uint8Array(count) };
  for (let y = 0; y < room.height; y++)
    for (let x = 0; x < room.width; x++) {
      const from = (room.y + y) * raster.width + room.x + x;
      const to = y * room.width + x;
      view.hole[to] = mask[from]!;
      view.avoid[to] = (avoid?.[from] ?? 0) || (raster.data[from * 4 + 3]! < 128 ? 1 : 0);
      for (let k = 0; k < 3; k++) view.data[to * 4 + k] = raster.data[from * 4 + k]!;
      view.data[to * 4 + 3] = mask[from] ? 0 : 255;
    }
  return {
    known: { width: room.width, height: room.height, channels: 4, data: view.data },
    hole: view.hole,
    avoid: view.avoid,
  };
}

/** Reduces the masks: a reduced pixel is in the hole if any of its full-size pixels is. */
function coverage({ known, hole, avoid }: View, width: number, height: number) {
  const out = { hole: new Uint8Array(width * height), avoid: new Uint8Array(width * height) };
  for (let y = 0; y < known.height; y++)
    for (let x = 0; x < known.width; x++) {
      const from = y * known.width + x;
      const to = Math.floor((y * height) / known.height) * width + Math.floor((x * width) / known.width);
      if (hole[from]) out.hole[to] = 1;
      if (avoid[from]) out.avoid[to] = 1;
    }
  return out;
}

function sampleAt(rgb: Float32Array, { width, height }: Level, x: number, y: number, out: number[]): void {
  const [cx, cy] = [clamp(x, 0, width - 1), clamp(y, 0, height - 1)];
  const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
  const [u, v] = [cx - x0, cy - y0];
  const [x1, y1] = [Math.min(width - 1, x0 + 1), Math.min(height - 1, y0 + 1)];
  const [a, b, c, d] = [(y0 * width + x0) * 3, (y0 * width + x1) * 3, (y1 * width + x0) * 3, (y1 * width + x1) * 3];
  for (let k = 0; k < 3; k++) {
    const above = rgb[a + k]! * (1 - u) + rgb[b + k]! * u;
    const below = rgb[c + k]! * (1 - u) + rgb[d + k]! * u;
    out[k] = above * (1 - v) + below * v;
  }
}
