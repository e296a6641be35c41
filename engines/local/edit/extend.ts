/** Enlarges the frame and continues the picture. */
import { EngineError, mostPixelsOut } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import type { Sides } from './edits.ts';
import { inpaint } from './fill/inpaint.ts';
import type { Picture } from './picture.ts';
import { extreme } from '../pixels/parts.ts';
import { reflect, smoothstep } from '../pixels/range.ts';
import { grown, subjectIfAny } from './regions.ts';
import { blurred } from './soften.ts';

/** Share of the rim that the subject may touch; beyond it, invented content cannot continue the subject. */
const mostCut = 0.15;

/** Converts percent of the picture's size to pixels. */
export function pixelsOf(by: Sides, { width, height }: { width: number; height: number }): Sides {
  const of = (percent: number, size: number): number => Math.round((Math.min(300, percent) / 100) * size);
  return {
    left: of(by.left, width),
    right: of(by.right, width),
    top: of(by.top, height),
    bottom: of(by.bottom, height),
  };
}

export async function extended(picture: Picture, by: Sides, seed: number): Promise<Picture> {
  const { raster } = picture;
  const [width, height] = [raster.width + by.left + by.right, raster.height + by.top + by.bottom];
  if (width * height > mostPixelsOut) {
    throw new EngineError('input_invalid', 'The extended image would be too large.', {
      publicMessage:
        'The extended image would have more than 64 megapixels. Extend it by less, or send a smaller image.',
    });
  }
  const grow = <C extends 1 | 4>(r: Raster<C>): Raster<C> => bordered(r, by, 'empty');
  const outside = grow({ ...raster, channels: 1, data: new Uint8Array(raster.width * raster.height).fill(1) });
  const mask = outside.data.map((value) => 1 - value);
  const found = await subjectIfAny(picture);
  const subject = found && grow(found);
  // A copy of the subject at the rim would be worse than any background.
  const avoid = subject ? grown(subject, Math.ceil(Math.max(width, height) / 100)) : undefined;
  const isCut = subject && shareAtRim(subject, mask) > mostCut;
  return {
    raster: isCut ? await reflected(raster, by) : await inpaint(grow(raster), { mask, avoid, seed, farness: 9000 }),
    mask: picture.mask && grow(picture.mask),
    subject: picture.subject && grow(picture.subject),
  };
}

/** Returns the share of the picture's rim along the extension that the subject covers. */
function shareAtRim({ width, height, data }: Raster<1>, outside: Uint8Array): number {
  const near = extreme('greatest', outside, width, height, 2);
  let [touched, all] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    if (!near[i] || outside[i]) continue;
    all++;
    if (data[i]! > 127) touched++;
  }
  return all > 0 ? touched / all : 0;
}

/** Adds a border that is empty or continues the raster with its reflection. */
function bordered<C extends 1 | 4>(raster: Raster<C>, by: Sides, beyond: 'empty' | 'mirrored'): Raster<C> {
  const { channels } = raster;
  const [width, height] = [raster.width + by.left + by.right, raster.height + by.top + by.bottom];
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const row = reflect(y - by.top, raster.height);
    for (let x = 0; x < width; x++) {
      const column = reflect(x - by.left, raster.width);
      if (beyond === 'empty' && (row !== y - by.top || column !== x - by.left)) continue;
      const from = (row * raster.width + column) * channels;
      for (let k = 0; k < channels; k++) data[(y * width + x) * channels + k] = raster.data[from + k]!;
    }
  }
  return { width, height, channels, data };
}

/** Extends a picture with its reflection, softer farther out: for content that cannot be made up believably. */
async function reflected(raster: Raster, by: Sides): Promise<Raster> {
  const whole = bordered(raster, by, 'mirrored');
  const { width, height, data } = whole;
  const longest = Math.max(width, height);
  const soft = await blurred(whole, longest * 0.035);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const out = Math.hypot(beyond(x - by.left, raster.width), beyond(y - by.top, raster.height)) / longest;
      const share = smoothstep(0, 0.06, out);
      const o = (y * width + x) * 4;
      for (let k = 0; k < 3 && share > 0; k++) {
        data[o + k] = Math.round(data[o + k]! + (soft.data[o + k]! - data[o + k]!) * share);
      }
    }
  return whole;
}

const beyond = (n: number, size: number): number => (n < 0 ? -n : Math.max(0, n - size + 1));
