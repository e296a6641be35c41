/** The picture during its edits: pixels, the mask where they may change, and the subject. */
import type { Raster } from '../raster.ts';

export interface Picture {
  raster: Raster;
  /** White where edits apply; null means everywhere. */
  mask: Raster<1> | null;
  /** The subject's mask, once it has been found; moves with the frame. */
  subject: Raster<1> | null;
}

/** Applies a change of frame to the pixels and to the masks. */
export async function framed(
  { raster, mask, subject }: Picture,
  change: <C extends 1 | 4>(raster: Raster<C>) => Raster<C> | Promise<Raster<C>>,
): Promise<Picture> {
  return {
    raster: await change(raster),
    mask: mask && (await change(mask)),
    subject: subject && (await change(subject)),
  };
}

/** Returns the edited pixels where the mask is white, the old ones where it is black. */
export function blended(old: Raster, edited: Raster, mask: Raster<1> | null): Raster {
  if (!mask) return edited;
  const data = new Uint8Array(old.data);
  for (let i = 0; i < mask.data.length; i++) {
    const t = mask.data[i]! / 255;
    if (t === 0) continue;
    const o = i * 4;
    for (let k = 0; k < 4; k++)
      data[o + k] = Math.round(old.data[o + k]! + (edited.data[o + k]! - old.data[o + k]!) * t);
  }
  return { ...old, data };
}
