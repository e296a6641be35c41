/** Measures the style that pictures share. Runs in a worker thread. */
import type { MeasureStyle, StyleMeasure } from '../../contract/index.ts';
import { reduced } from '../pixels/reduced.ts';
import { decode, type Raster } from '../raster.ts';
import { colourOf, coloursIn, lightOf } from './colours.ts';
import { paletteOf } from './palette.ts';
import { textureOf, viewSize } from './texture.ts';

/** Measures pictures with equal weight and returns the measure as JSON. */
export async function measureStyle({ images }: MeasureStyle): Promise<string> {
  const pictures: Raster[] = [];
  // Decodes one picture after the other, because four large photographs take half a gigabyte.
  for (const image of images) pictures.push(reduced(await decode(image), viewSize));
  const colours = pictures.map((picture) => coloursIn(picture, picture.data, 5));
  // Fewer colours for the palette, which compares every pair.
  const coarse = pictures.flatMap((picture) => coloursIn(picture, picture.data, 3));
  const together = coarse.map(({ lab, weight }) => ({ lab, weight: weight / pictures.length }));
  const measure: StyleMeasure = {
    palette: paletteOf(together),
    light: mean(colours.map(lightOf)),
    colour: mean(colours.map(colourOf)),
    texture: mean(pictures.map(textureOf)),
  };
  return JSON.stringify(measure);
}

/** Returns the mean of each number, with three digits. */
function mean<T extends Record<string, number>>(all: readonly T[]): T {
  const meanOf = (key: string) => all.reduce((sum, one) => sum + one[key]!, 0) / all.length;
  const keys = Object.keys(all[0] ?? {});
  return Object.fromEntries(keys.map((key) => [key, Math.round(meanOf(key) * 1000) / 1000])) as T;
}
