/** A subject as pixels: rasterised, trimmed to what is visible, with a soft relief for the light to fall on. */
import sharp from 'sharp';
import { drawings } from './drawn.ts';
import { iconBody, skinTones } from './icons.ts';

export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** Interleaved RGBA, straight alpha, 0–255. */
  readonly rgba: Uint8Array;
}

function svgOf(name: string, side: number, tone: number): string | null {
  const drawn = drawings[name]?.();
  const toned = iconBody(`${name}-${skinTones[tone % skinTones.length] ?? 'medium'}-skin-tone`);
  const body = drawn?.body ?? toned ?? iconBody(name);
  if (body === undefined) return null;
  const [w, h] = drawn ? [drawn.width, drawn.height] : [128, 128];
  const k = side / Math.max(w, h);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 ${w} ${h}" width="${Math.round(w * k)}" height="${Math.round(h * k)}">${body}</svg>`;
}

/** `side` is the longer side of the drawing's box in pixels. Null when there is no drawing of that name. */
export async function rasterise(name: string, side: number, tone: number): Promise<Sprite | null> {
  const svg = svgOf(name, Math.max(8, Math.round(side)), tone);
  if (svg === null) return null;
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return trim(data, info.width, info.height);
}

function trim(data: Uint8Array, width: number, height: number): Sprite {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[(y * width + x) * 4 + 3]! > 24) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  if (right < left) return { width, height, rgba: new Uint8Array(data) };
  const w = right - left + 1;
  const h = bottom - top + 1;
  const rgba = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y++)
    rgba.set(data.subarray(((y + top) * width + left) * 4, ((y + top) * width + left + w) * 4), y * w * 4);
  return { width: w, height: h, rgba };
}

/** Alpha blurred to a dome: its slope is where the light falls. */
export function reliefOf(sprite: Sprite, radius: number): Float32Array {
  const { width, height, rgba } = sprite;
  let from = new Float32Array(width * height);
  for (let i = 0; i < from.length; i++) from[i] = rgba[i * 4 + 3]! / 255;
  for (let pass = 0; pass < 2; pass++) from = boxAcross(boxAcross(from, width, height, radius), height, width, radius);
  return from;
}

/** A box blur along the rows that hands back the transpose, so that two calls blur both ways. Outside is empty. */
function boxAcross(from: Float32Array, width: number, height: number, radius: number): Float32Array<ArrayBuffer> {
  const r = Math.max(1, Math.round(radius));
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < Math.min(r, width); x++) sum += from[y * width + x]!;
    for (let x = 0; x < width; x++) {
      if (x + r < width) sum += from[y * width + x + r]!;
      if (x - r - 1 >= 0) sum -= from[y * width + x - r - 1]!;
      out[x * height + y] = sum / (2 * r + 1);
    }
  }
  return out;
}
