/** Rasterises the drawing of a subject and trims it to its visible part. */
import sharp from 'sharp';
import { alphaOf } from '../../pixels/alpha.ts';
import { boundsOf, crop } from '../../pixels/box.ts';
import type { Raster } from '../../raster.ts';
import { drawingOf } from './drawings.ts';

/**
 * Returns the pixels of a drawing, or null if there is none. Its longer side has `side` pixels before it is trimmed.
 */
export async function rasterise(name: string, side: number, tone: number): Promise<Raster | null> {
  const svg = drawingOf(name, tone);
  if (svg === null) return null;
  const [width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1).map(Number) as [number, number];
  const k = Math.max(8, Math.round(side)) / Math.max(width, height);
  const sized = svg.replace('<svg', `<svg width="${Math.round(width * k)}" height="${Math.round(height * k)}"`);
  const { data, info } = await sharp(Buffer.from(sized)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const drawn: Raster = { width: info.width, height: info.height, channels: 4, data };
  const box = boundsOf(alphaOf(drawn).data, info.width, 24);
  return box ? crop(drawn, box) : drawn;
}
