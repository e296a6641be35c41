/** Measures the style that pictures share. Runs in a worker thread. */
import type { MeasureStyle, StyleMeasure } from '../../contract/index.ts';
import { decode, type Raster } from '../raster.ts';
import { coloursIn, together } from './colours.ts';
import { colourOf, lightOf } from './light.ts';
import { paletteOf } from './palette.ts';
import { reduced } from '../pixels/reduced.ts';
import { textureOf } from './texture.ts';
import { viewOf, viewSize } from './view.ts';

export async function measureStyle({ images }: MeasureStyle): Promise<string> {
  const pictures: Raster[] = [];
  // One after the other, because four large photographs take half a gigabyte.
  for (const image of images) pictures.push(reduced(await decode(image), viewSize));
  return JSON.stringify(measureOf(pictures));
}

/** Measures pictures with equal weight. */
function measureOf(pictures: readonly Raster[]): StyleMeasure {
  const colours = pictures.map((picture) => coloursIn(picture, picture.data, 5));
  return {
    palette: paletteOf(together(colours)),
    light: shared(colours.map(lightOf)),
    colour: shared(colours.map(colourOf)),
    texture: shared(pictures.map((picture) => textureOf(viewOf(picture)))),
  };
}

function shared<T extends Record<string, number>>(all: readonly T[]): T {
  const mean = (key: string) => all.reduce((sum, one) => sum + one[key]!, 0) / all.length;
  const keys = Object.keys(all[0] ?? {});
  return Object.fromEntries(keys.map((key) => [key, Math.round(mean(key) * 1000) / 1000])) as T;
}
