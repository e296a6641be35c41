/** Shared by the tests of encoded styles: anchors, prompts, and the distance of two palettes. */
import { oklab } from '../oklab.ts';
import { encode, type Raster } from '../raster.ts';
import type { EncodedStyle, StyleMeasure } from '../../contract/index.ts';
import { once } from './faces.ts';
import { photo, type PhotoName } from './photos.ts';
import { inThread } from './in-thread.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { hypot, max, sqrt } = Math;

const [draw, dress, decode, measureStyle] = [
  inThread('draw'),
  inThread('dress'),
  inThread('decode'),
  inThread('measureStyle'),
];

export const prompts = ['a red fox in a forest', 'a city by the sea', 'a bowl of fruit on a table'];

interface Drawn {
  family?: string;
  style?: string | null;
  size?: number;
  transparentBackground?: boolean;
}

export function drawn(prompt: string, options: Drawn = {}): Promise<Uint8Array> {
  const { family = 'selena', style = null, size = 384, transparentBackground = false } = options;
  return draw(family, {
    ...{ prompt, style, transparentBackground, width: size, height: size, seed: 7, negativePrompt: null },
    ...{ nsfw: false, outputFormat: 'png', seamless: false },
  });
}

export const dressed = (raster: Raster, dna: EncodedStyle, amount: number, seed = 7): Promise<Raster> =>
  dress(raster, dna, { amount, seed });
export const decoded = (bytes: Uint8Array): Promise<Raster> => decode({ bytes });

const lighthouse = (family: string, style: string) =>
  drawn('a lighthouse on a cliff at sunset', { family, style, size: 512 });

/** Images from which a client might encode a style, one per style. */
const anchors = {
  watercolor: () => lighthouse('selena', 'watercolor'),
  neon: () => lighthouse('quantum', 'neon'),
  engraving: () => lighthouse('hamilton', 'engraving'),
  'ukiyo-e': () => lighthouse('hamilton', 'ukiyo-e'),
  'the night of the rocket': () => photo('rocket'),
  'the table of the coffee': () => photo('coffee'),
};
export type Anchor = keyof typeof anchors;
export const anchorNames = Object.keys(anchors) as Anchor[];

export async function measured(...files: Uint8Array[]): Promise<StyleMeasure> {
  const images = files.map((bytes) => ({ bytes, contentType: 'image/png' as const, width: 0, height: 0 }));
  return JSON.parse(await measureStyle({ images, nsfw: false })) as StyleMeasure;
}

/** Draws and measures each anchor once, for all tests. */
export const measuredAnchor = once(async (name: Anchor) => measured(await anchors[name]()));

export async function measuredRaster(raster: Raster): Promise<StyleMeasure> {
  return measured(await encode(raster, 'png'));
}

export const styled = (measure: StyleMeasure): EncodedStyle => ({
  version: 1,
  source: 'images',
  measure,
  words: { summary: 'A style.', keywords: ['style'] },
});

/** Measures each photograph once, for all tests. */
export const measuredPhoto = once(async (name: PhotoName) => measured(await photo(name)));

/** Energy distance in OKLab: 0 where both palettes have the same colours in the same shares. */
export function paletteDistance(one: StyleMeasure, other: StyleMeasure): number {
  const [a, b] = [coloursOf(one), coloursOf(other)];
  return sqrt(max(0, 2 * meanDistance(a, b) - meanDistance(a, a) - meanDistance(b, b)));
}

type Colours = { lab: number[]; share: number }[];

function coloursOf({ palette }: StyleMeasure): Colours {
  const total = palette.reduce((sum, { share }) => sum + share, 0);
  return palette.map(({ colour, share }) => {
    const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return { lab: oklab([part(1), part(3), part(5)]), share: share / total };
  });
}

function meanDistance(a: Colours, b: Colours): number {
  const apart = (x: number[], y: number[]) => hypot(...x.map((v, k) => v - y[k]!));
  return a.reduce((sum, x) => sum + b.reduce((all, y) => all + apart(x.lab, y.lab) * x.share * y.share, 0), 0);
}

/** Returns how well the light and shade of two pictures agree; 1 is full agreement. */
export function likeness(one: Raster, other: Raster): number {
  const [a, b] = [greys(one), greys(other)];
  const mean = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]! - ma, b[i]! - mb];
    [ab, aa, bb] = [ab + x * y, aa + x * x, bb + y * y];
  }
  return ab / sqrt(aa * bb);
}

const greys = ({ data }: Raster): Float64Array =>
  new Float64Array(data.length / 4).map(
    (_, i) => 0.299 * data[i * 4]! + 0.587 * data[i * 4 + 1]! + 0.114 * data[i * 4 + 2]!,
  );
