/** Finds the subject, which stands in front, and models its distance and relief. */
import { subjectMaskIfAny } from '../cutout/masks.ts';
import { distanceTo, extreme, partsOf } from '../pixels/parts.ts';
import { fractions, mapped, type Plane, plane, where } from '../pixels/plane.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster, Size } from '../raster.ts';
import { nearness } from './ground.ts';

/** Least nearness of a large subject that reaches the lower part of the image: it is rarely in the far half. */
const leastNear = 0.6;

export interface Figure {
  /** 255 on the subject, at the image's size. */
  mask: Raster<1>;
  /** The mask at the size of the cues, 0–1. */
  small: Plane;
  /** How near the subject is, at that size. */
  depth: Plane;
}

/** Returns null if nothing stands out. */
export async function figureOf(image: Raster<3 | 4>, size: Size, horizon: number): Promise<Figure | null> {
  const mask = await subjectMaskIfAny(image);
  if (!mask) return null;
  const { width, height, data } = await resized(mask, { width: size.width, height: size.height });
  const small = plane(width, height, fractions(data));
  return { mask, small, depth: reliefs(small, horizon) };
}

/** Places each connected part of the subject at the depth of its lower end. */
function reliefs({ width, height, data }: Plane, horizon: number): Plane {
  const solid = where(data, (value) => value >= 0.5);
  const { labels, areas } = partsOf(solid, width, height);
  const largest = Math.max(...areas);
  const rows = areas.map(() => new Int32Array(height));
  for (let i = 0; i < labels.length; i++) rows[labels[i]!]![Math.floor(i / width)]!++;
  const near = areas.map((area, label) => {
    const foot = footOf(rows[label]!, area);
    const bold = leastNear * Math.min(1, (2 * area) / largest) * Math.min(1, Math.max(0, foot - 0.4) / 0.25) || 0;
    return Math.max(bold, nearness(foot, horizon));
  });
  const outside = where(solid, (value) => value === 0);
  const inward = distanceTo(outside, width, height);
  const thickest = areas.map(() => 1);
  for (let i = 0; i < labels.length; i++) {
    if (inward[i]! < width + height) thickest[labels[i]!] = Math.max(thickest[labels[i]!]!, inward[i]!);
  }
  // Bodies bulge towards the viewer in the middle, and more in their lower half.
  const depth = plane(width, height);
  for (let i = 0; i < labels.length; i++) {
    if (!solid[i]) continue;
    const label = labels[i]!;
    const bulge = Math.sqrt(Math.min(1, inward[i]! / thickest[label]!));
    const row = Math.floor(i / width) / (height - 1);
    depth.data[i] = near[label]! + 0.22 * bulge * Math.sqrt(areas[label]! / largest) + 0.14 * (row - 1);
  }
  // The soft edges of the subject take the depth beside them.
  const around = extreme('greatest', depth.data, width, height, 3);
  return mapped(depth, (own, i) => (solid[i] ? own : around[i]! || leastNear));
}

/** Returns the row, 0–1, below which almost nothing of a part is left. */
function footOf(rows: Int32Array, area: number): number {
  let row = rows.length - 1;
  for (let left = 0.03 * area; row > 0 && (left -= rows[row]!) > 0;) row--;
  return row / (rows.length - 1);
}
