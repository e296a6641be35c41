/** A subject as pixels: rasterised, trimmed to what is visible, with a soft relief for the light to fall on. */
import sharp from 'sharp';
import { alphaOf } from '../../pixels/alpha.ts';
import { boxBlurInZeros } from '../../pixels/blur.ts';
import { boundsOf, crop } from '../../pixels/box.ts';
import type { Raster } from '../../raster.ts';
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
  const drawn: Raster = { width, height, channels: 4, data };
  const box = boundsOf(alphaOf(drawn).data, width, 24);
  const { data: rgba, ...size } = box ? crop(drawn, box) : drawn;
  return { width: size.width, height: size.height, rgba };
}

/** Blurs the alpha to a dome, whose slope shows where the light falls. Outside of the sprite it is empty. */
export function reliefOf({ width, height, rgba }: Sprite, radius: number): Float32Array {
  const alpha = Float32Array.from({ length: width * height }, (_, i) => rgba[i * 4 + 3]! / 255);
  return boxBlurInZeros(alpha, width, height, Math.max(1, Math.round(radius)), 2);
}
