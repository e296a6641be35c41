/** Turns a photograph into a canvas to paint on, and lays the painted picture over the photograph. */
import sharp from 'sharp';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { fractions } from '../pixels/plane.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { type Canvas, createCanvas } from '../sketch/canvas.ts';

/** Limits for the canvas's longer side: looks are made for about this many pixels. */
const [smallest, largest] = [640, 1400];

/** Stretches the photograph to a canvas. Transparent pixels get the mean colour of the others. */
export async function canvasOf(photo: Raster, width: number, height: number): Promise<Canvas> {
  const [r, g, b] = (await resized(photo, { width: 1, height: 1 }, 'linear')).data;
  const data = await sharp(photo.data, { raw: photo, limitInputPixels: false })
    .flatten({ background: { r: r!, g: g!, b: b! } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return Object.assign(createCanvas(width, height), { rgb: fractions(data) });
}

/** Returns the size of the canvas for a photograph. */
export function canvasSize({ width, height }: Raster): { width: number; height: number } {
  const long = Math.max(width, height);
  const scale = Math.min(Math.max(1, smallest / long), largest / long);
  const side = (length: number) => Math.max(8, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

/** Lays the painted picture over the photograph and keeps the photograph's alpha. */
export function lay(photo: Raster, { channels, data }: Raster<3 | 4>, opacity: number): Raster<3> | Raster<4> {
  const mixed = photo.data.map((from, o) => {
    if (o % 4 === 3) return from;
    return Math.round(from + (data[(o >> 2) * channels + (o % 4)]! - from) * opacity);
  });
  return withoutNeedlessAlpha({ ...photo, data: mixed });
}
