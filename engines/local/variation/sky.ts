/** Finds the sky of a photograph: what is calm, cool or bright, and hangs on the upper edge. */
import sharp from 'sharp';
import type { Canvas } from '../sketch/canvas.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { luma } from '../pixels/luma.ts';

/** Long side of the small picture that is searched. */
const searched = 180;

export interface Sky {
  /** 0–1 for every pixel. */
  readonly mask: Float32Array;
  /** The row at which most of it ends. */
  readonly horizon: number;
  /** Of the whole picture. */
  readonly share: number;
}

/** Null where there is no sky, or too little of it to matter. */
export async function findSky(canvas: Canvas): Promise<Sky | null> {
  const scale = searched / Math.max(canvas.width, canvas.height);
  const [w, h] = [Math.max(4, Math.round(canvas.width * scale)), Math.max(4, Math.round(canvas.height * scale))];
  const rgb = await resized(canvas.rgb, canvas.width, canvas.height, 3, w, h);
  const found = flood(rgb, w, h);
  let area = 0;
  let lowest = 0;
  for (let y = 0; y < h; y++) {
    let row = 0;
    for (let x = 0; x < w; x++) row += found[y * w + x]!;
    area += row;
    if (row > w * 0.12) lowest = y + 1;
  }
  const share = area / (w * h);
  if (share < 0.06 || share > 0.9) return null;
  return { mask: await refined(canvas, rgb, found, w, h), horizon: (lowest / h) * canvas.height, share };
}

async function resized(
  values: Float32Array,
  width: number,
  height: number,
  channels: 1 | 3,
  w: number,
  h: number,
): Promise<Float32Array> {
  const bytes = Uint8Array.from(values, (v) => Math.round(clamp(v) * 255));
  const { data, info } = await sharp(bytes, { raw: { width, height, channels } })
    .resize(w, h, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const out = new Float32Array(w * h * channels);
  for (let i = 0; i < w * h; i++)
    for (let c = 0; c < channels; c++) out[i * channels + c] = data[i * info.channels + c]! / 255;
  return out;
}

/** Grows from the upper edge as long as colour changes slowly. */
function flood(rgb: Float32Array, w: number, h: number): Float32Array {
  const found = new Float32Array(w * h);
  const queue: number[] = [];
  const at = (i: number, c: number): number => rgb[i * 3 + c]!;
  const skyish = (i: number): boolean => {
    const [r, g, b] = [at(i, 0), at(i, 1), at(i, 2)];
    const l = luma(r, g, b);
    return (
      (b >= r - 0.015 && b >= g - 0.03 && l > 0.16) ||
      (b > r + 0.04 && b > g + 0.02) ||
      (l > 0.86 && Math.max(r, g, b) - Math.min(r, g, b) < 0.1)
    );
  };
  const apart = (i: number, j: number): number =>
    Math.abs(at(i, 0) - at(j, 0)) + Math.abs(at(i, 1) - at(j, 1)) + Math.abs(at(i, 2) - at(j, 2));
  for (let x = 0; x < w; x++)
    if (skyish(x)) {
      found[x] = 1;
      queue.push(x);
    }
  for (let n = 0; n < queue.length; n++) {
    const i = queue[n]!;
    const [x, y] = [i % w, Math.floor(i / w)];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      if (x + dx < 0 || x + dx >= w || y + dy < 0 || y + dy >= h) continue;
      const j = i + dy * w + dx;
      if (found[j] === 1 || !skyish(j) || apart(i, j) > 0.09) continue;
      found[j] = 1;
      queue.push(j);
    }
  }
  return found;
}

/** Full size, along the edges of the photograph: a pixel is sky as far as it has the colour of the sky around it. */
async function refined(
  canvas: Canvas,
  rgb: Float32Array,
  found: Float32Array,
  w: number,
  h: number,
): Promise<Float32Array> {
  const spread = nearby(rgb, found, w, h);
  const { width, height } = canvas;
  const [near, colour] = [
    await resized(spread.near, w, h, 1, width, height),
    await resized(spread.colour, w, h, 3, width, height),
  ];
  for (let i = 0; i < near.length; i++) {
    let d = 0;
    for (let c = 0; c < 3; c++) d += Math.abs(canvas.rgb[i * 3 + c]! - colour[i * 3 + c]!);
    near[i] = smoothstep(0.15, 0.55, near[i]!) * smoothstep(0.34, 0.14, d);
  }
  return near;
}

/** The mean colour of the sky within a few steps, and how much of it there is. */
function nearby(
  rgb: Float32Array,
  found: Float32Array,
  w: number,
  h: number,
): { near: Float32Array; colour: Float32Array } {
  const near = new Float32Array(w * h);
  const colour = new Float32Array(w * h * 3);
  const reach = 3;
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let [n, all] = [0, 0];
      const i = y * w + x;
      for (let dy = -reach; dy <= reach; dy++)
        for (let dx = -reach; dx <= reach; dx++) {
          if (x + dx < 0 || x + dx >= w || y + dy < 0 || y + dy >= h) continue;
          all++;
          const j = i + dy * w + dx;
          if (found[j] !== 1) continue;
          n++;
          for (let c = 0; c < 3; c++) colour[i * 3 + c] = colour[i * 3 + c]! + rgb[j * 3 + c]!;
        }
      for (let c = 0; c < 3; c++) colour[i * 3 + c] = n > 0 ? colour[i * 3 + c]! / n : rgb[i * 3 + c]!;
      near[i] = found[i] === 1 ? 1 : Math.min(1, (n / all) * 2);
    }
  return { near, colour };
}
