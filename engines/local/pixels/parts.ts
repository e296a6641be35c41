/** Shapes in masks: connected parts, holes, distances, growth. A mask has one byte per pixel, 0 where it is empty. */
import { inOpenCv } from './opencv.ts';

export interface Parts {
  /** 0 where the mask is empty, else the part's number, from 1. */
  readonly labels: Int32Array;
  /** Number of pixels of each part; `areas[0]`, for the empty area, is 0. */
  readonly areas: readonly number[];
  /** Whether a part reaches the image's border. */
  readonly atBorder: readonly boolean[];
}

/** Finds the four-connected parts of a mask. */
export function partsOf(mask: Uint8Array, width: number, height: number): Parts {
  return inOpenCv(({ cv, bytes, empty }) => {
    const [labels, stats] = [empty(), empty()];
    const count = cv.connectedComponentsWithStats(bytes(mask, width, height), labels, stats, empty(), 4);
    const rows = Array.from({ length: count }, (_, k) => stats.data32S.subarray(5 * k, 5 * k + 5));
    return {
      labels: labels.data32S.slice(),
      areas: rows.map((row, k) => (k === 0 ? 0 : row[4]!)),
      atBorder: rows.map(([x, y, w, h]) => x === 0 || y === 0 || x! + w! === width || y! + h! === height),
    };
  });
}

/** Keeps the parts that `keep` accepts. */
export function kept(mask: Uint8Array, parts: Parts, keep: (label: number) => boolean): Uint8Array {
  const wanted = parts.areas.map((_, label) => label > 0 && keep(label));
  return mask.map((_, i) => (wanted[parts.labels[i]!] ? 1 : 0));
}

/** Fills the holes of at most `area` pixels. */
export function withoutHoles(mask: Uint8Array, width: number, height: number, area: number): Uint8Array {
  const empty = mask.map((value) => (value ? 0 : 1));
  const { labels, areas, atBorder } = partsOf(empty, width, height);
  return mask.map((value, i) => (value || (!atBorder[labels[i]!] && areas[labels[i]!]! <= area) ? 1 : 0));
}

/** Removes the parts that are smaller than a share of the largest. */
export function withoutSpecks(mask: Uint8Array, width: number, height: number, share: number): Uint8Array {
  const parts = partsOf(mask, width, height);
  const largest = Math.max(...parts.areas);
  return kept(mask, parts, (label) => parts.areas[label]! >= largest * share);
}

/** Returns the distance in pixels from each pixel to the nearest pixel of the mask. */
export function distanceTo(mask: Uint8Array, width: number, height: number): Float32Array {
  return inOpenCv(({ cv, bytes, empty }) => {
    const [outside, distance] = [mask.map((value) => (value ? 0 : 1)), empty()];
    cv.distanceTransform(bytes(outside, width, height), distance, cv.DIST_L2, cv.DIST_MASK_PRECISE);
    return distance.data32F.slice();
  });
}

/** Gives every pixel the greatest or least value within a square around it, `2 * radius + 1` pixels wide. */
export function extreme<Values extends Float32Array | Uint8Array>(
  which: 'greatest' | 'least',
  values: Values,
  width: number,
  height: number,
  radius: number,
): Values {
  return inOpenCv(({ cv, bytes, floats, empty }) => {
    const side = 2 * radius + 1;
    const isFloat = values instanceof Float32Array;
    const from = (isFloat ? floats : bytes)(values, width, height);
    const to = empty();
    const square = bytes(new Uint8Array(side * side).fill(1), side, side);
    if (which === 'greatest') cv.dilate(from, to, square);
    else cv.erode(from, to, square);
    return (isFloat ? to.data32F : to.data).slice() as Values;
  });
}
