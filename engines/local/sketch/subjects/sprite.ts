/** A subject as pixels: rasterised, trimmed to its visible part, with a soft relief for the light to fall on. */
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
  const toned = `${name}-${skinTones[tone % skinTones.length]!}-skin-tone`;
  const body = drawn?.body ?? iconBody(toned) ?? iconBody(name);
  if (body === undefined) return null;
  const { width: w, height: h } = drawn ?? { width: 128, height: 128 };
  const k = side / Math.max(w, h);
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 ${w} ${h}" width="${Math.round(w * k)}" height="${Math.round(h * k)}">${body}</svg>`;
}

/**
 * @param side the longer side of the drawing's box, in pixels
 * @returns null when there is no drawing of that name
 */
export async function rasterise(name: string, side: number, tone: number): Promise<Sprite | null> {
  const svg = svgOf(name, Math.max(8, Math.round(side)), tone);
  if (svg === null) return null;
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const drawn: Raster = { width: info.width, height: info.height, channels: 4, data };
  const box = boundsOf(alphaOf(drawn).data, info.width, 24);
  const { width, height, data: rgba } = box ? crop(drawn, box) : drawn;
  return { width, height, rgba };
}

/** Blurs the alpha to a dome, whose slope shows where the light falls. Outside of the sprite it is empty. */
export function reliefOf({ width, height, rgba }: Sprite, radius: number): Float32Array {
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = rgba[i * 4 + 3]! / 255;
  return boxBlurInZeros(alpha, width, height, Math.max(1, Math.round(radius)), 2);
}
