/** Makes variations of a photograph: keeps its composition; the rest follows prompt, style, strength and seed. */
import type { VaryImage } from '../../contract/index.ts';
import { decode, make, type Made, type Raster } from '../raster.ts';
import type { Canvas } from '../sketch/canvas.ts';
import { smoothstep } from '../pixels/range.ts';
import { saturate } from '../sketch/filters/tone.ts';
import { Random } from '../sketch/random.ts';
import { dress } from './dress.ts';
import { canvasOf, canvasSize, lay } from './photo.ts';
import { repaint } from './repaint.ts';
import { flow } from './tile/flow.ts';
import { pattern } from './tile/pattern.ts';
import { periodic, withOverlap } from './tile/periodic.ts';
import type { Tile } from './tile/tile.ts';
import { weave } from './tile/weave.ts';
import { type Wish, wishOf } from './wish.ts';
import { rasterOf } from '../sketch/raster.ts';

const name = 'local/repaint';

/** The seamless styles, by id. */
const tiles: Readonly<Record<string, Tile>> = {
  'infiny-weave': weave,
  'infiny-pattern': pattern,
  'infiny-flow': flow,
};

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
async function tiled(
  photo: Raster,
  wish: Wish,
  { style, strength, seed }: VaryImage,
  opacity: number,
): Promise<Canvas> {
  const { width, height } = canvasSize(photo);
  const random = new Random(seed);
  const whole = await canvasOf(photo, withOverlap(width), withOverlap(height));
  const plain = periodic(whole, width, height);
  if (opacity === 0) return plain;
  const tile = style === null ? undefined : tiles[style];
  if (tile) await repaint(whole, wish, strength, random);
  else await painted(whole, wish, style, strength, random);
  const canvas = periodic(whole, width, height);
  if (tile) await tile(canvas, whole, wish.brief, random.stream('tile'));
  for (let p = 0; p < plain.rgb.length; p++) canvas.rgb[p] = plain.rgb[p]! + (canvas.rgb[p]! - plain.rgb[p]!) * opacity;
  return canvas;
}
