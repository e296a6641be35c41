/** Enlarges the frame and continues the picture. */
import { EngineError, mostPixelsOut } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import type { Sides } from './edits.ts';
import { inpaint } from './fill/inpaint.ts';
import { parts } from './frame.ts';
import { mirrored } from './mirrored.ts';
import type { Picture } from './picture.ts';
import { grown, subjectIfAny } from './regions.ts';

/** Share of the rim that the subject may touch; beyond it, invented content cannot continue the subject. */
const mostCut = 0.15;

/** Returns the pixels to add on each side for a ratio. */
export function roomFor(ratio: string, { width, height }: { width: number; height: number }): Sides {
  const [w, h] = parts(ratio);
  const times = Math.ceil(Math.max(width / w, height / h));
  const [wide, tall] =
    times >= 8 ? [times * w, times * h] : [Math.max(width, (height * w) / h), Math.max(height, (width * h) / w)];
  const [x, y] = [Math.round(wide) - width, Math.round(tall) - height];
  return { left: x >> 1, right: x - (x >> 1), top: y >> 1, bottom: y - (y >> 1) };
}

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
  const grow = <C extends 1 | 4>(r: Raster<C>): Raster<C> => placed(r, by, width, height);
  const larger = grow(raster);
  const mask = new Uint8Array(width * height).fill(1);
  for (let y = 0; y < raster.height; y++) {
    const at = (by.top + y) * width + by.left;
    mask.fill(0, at, at + raster.width);
  }
  const subject = await subjectIfAny(picture);
  // A copy of the subject at the rim would be worse than any background.
  const avoid = subject ? grown(grow(subject), Math.ceil(Math.max(width, height) / 100)) : undefined;
  const filled =
    subject && cutShare(subject, by) > mostCut
      ? await mirrored(raster, subject, by)
      : await inpaint(larger, { mask, avoid, seed, farness: { x: 3000, y: 9000 } });
  return {
    raster: filled,
    mask: picture.mask && grow(picture.mask),
    subject: picture.subject && grow(picture.subject),
  };
}

/** Returns the share of the extended sides that the subject touches. */
function cutShare({ width, height, data }: Raster<1>, by: Sides): number {
  let [touched, all] = [0, 0];
  const look = (share: number, count: number, at: (n: number) => number): void => {
    if (share === 0) return;
    all += count;
    for (let n = 0; n < count; n++) if (data[at(n)]! > 127) touched++;
  };
  look(by.left, height, (y) => y * width + 1);
  look(by.right, height, (y) => y * width + width - 2);
  look(by.top, width, (x) => width + x);
  look(by.bottom, width, (x) => (height - 2) * width + x);
  return all > 0 ? touched / all : 0;
}

function placed<C extends 1 | 4>(
  { width, height, channels, data }: Raster<C>,
  by: Sides,
  w: number,
  h: number,
): Raster<C> {
  const out = new Uint8Array(w * h * channels);
  for (let y = 0; y < height; y++) {
    out.set(data.subarray(y * width * channels, (y + 1) * width * channels), ((by.top + y) * w + by.left) * channels);
  }
  return { width: w, height: h, channels, data: out };
}
