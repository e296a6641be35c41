/** Makes variations of a photograph: keeps its composition; the rest follows prompt, style, strength and seed. */
import sharp from 'sharp';
import type { VaryImage } from '../../contract/index.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { fractions } from '../pixels/plane.ts';
import { smoothstep } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import { decode, make, type Made, type Raster } from '../raster.ts';
import { type Canvas, createCanvas } from '../sketch/canvas.ts';
import { saturate } from '../sketch/filters/tone.ts';
import { Random } from '../sketch/random.ts';
import { rasterOf } from '../sketch/raster.ts';
import { dress } from './dress.ts';
import { repaint } from './repaint.ts';
import { flow } from './tile/flow.ts';
import { pattern } from './tile/pattern.ts';
import { periodic, withOverlap } from './tile/periodic.ts';
import { weave } from './tile/weave.ts';
import { type Wish, wishOf } from './wish.ts';

const name = 'local/repaint';

/** The seamless styles, by id. */
const tiles: Readonly<Record<string, typeof pattern>> = {
  'infiny-weave': weave,
  'infiny-pattern': pattern,
  'infiny-flow': flow,
};

/** Limits for the canvas's longer side: looks are made for about this many pixels. */
const [smallest, largest] = [640, 1400];

/** Strength from which the painted picture covers the photograph completely. */
const covering = 0.55;

export async function vary(params: VaryImage): Promise<Made> {
  const { prompt, style, strength, seed, outputFormat } = params;
  const photo = await decode(params.image);
  const opacity = smoothstep(0, covering, strength);
  const wish = wishOf(prompt, seed);
  const seamless = params.seamless || (style !== null && style in tiles);
  if (seamless) {
    const canvas = await tiled(photo, wish, params, opacity);
    return make(name, await rasterOf(canvas, photo, true), outputFormat, seed);
  }
  const size = canvasSize(photo);
  const canvas = await canvasOf(photo, size.width, size.height);
  if (opacity > 0) await painted(canvas, wish, style, strength, new Random(seed));
  return make(name, lay(photo, await rasterOf(canvas, photo, false), opacity), outputFormat, seed);
}

async function painted(canvas: Canvas, wish: Wish, style: string | null, strength: number, random: Random) {
  await repaint(canvas, wish, strength, random);
  dress(canvas, style, wish.brief, random.stream('look'));
  // A look may add colour, which a monochrome prompt overrides.
  if (wish.brief.moods.has('mono')) saturate(canvas, 0.06);
}

/** Returns the photograph as a seamless tile. `opacity` mixes it with its painted version. */
async function tiled(photo: Raster, wish: Wish, params: VaryImage, opacity: number): Promise<Canvas> {
  const { style, strength, seed } = params;
  const { width, height } = canvasSize(photo);
  const random = new Random(seed);
  const whole = await canvasOf(photo, withOverlap(width), withOverlap(height));
  const plain = periodic(whole, width, height);
  if (opacity === 0) return plain;
  const tile = style === null ? undefined : tiles[style];
  if (tile) await repaint(whole, wish, strength, random);
  else await painted(whole, wish, style, strength, random);
  const canvas = periodic(whole, width, height);
  if (tile) await tile(canvas, wish.brief, random.stream('tile'), whole);
  for (let p = 0; p < plain.rgb.length; p++) canvas.rgb[p] = plain.rgb[p]! + (canvas.rgb[p]! - plain.rgb[p]!) * opacity;
  return canvas;
}

/** Stretches the photograph to a canvas. Transparent pixels get the mean colour of the others. */
async function canvasOf(photo: Raster, width: number, height: number): Promise<Canvas> {
  const [r, g, b] = (await resized(photo, { width: 1, height: 1 }, 'linear')).data;
  const data = await sharp(photo.data, { raw: photo, limitInputPixels: false })
    .flatten({ background: { r: r!, g: g!, b: b! } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return Object.assign(createCanvas(width, height), { rgb: fractions(data) });
}

/** Returns the size of the canvas for a photograph. */
function canvasSize({ width, height }: Raster): { width: number; height: number } {
  const long = Math.max(width, height);
  const scale = Math.min(Math.max(1, smallest / long), largest / long);
  const side = (length: number) => Math.max(8, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

/** Lays the painted picture over the photograph and keeps the photograph's alpha. */
function lay(photo: Raster, { channels, data }: Raster<3 | 4>, opacity: number): Raster<3> | Raster<4> {
  const mixed = photo.data.map((from, o) => {
    if (o % 4 === 3) return from;
    return Math.round(from + (data[(o >> 2) * channels + (o % 4)]! - from) * opacity);
  });
  return withoutNeedlessAlpha({ ...photo, data: mixed });
}
