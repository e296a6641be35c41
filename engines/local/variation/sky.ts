/** Finds the sky of a photograph: a calm area, cool or bright, that reaches down from the upper edge. */
import type { Canvas } from '../sketch/canvas.ts';
import { luma } from '../pixels/luma.ts';
import { boxBlur } from '../pixels/blur.ts';
import { stretched } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/range.ts';
import { flood } from '../pixels/flood.ts';

/** Longer side of the reduced picture that is searched. */
const searched = 180;
/** Radius, in pixels of the reduced picture, within which colours of the sky are averaged. */
const reach = 3;

export interface Sky {
  /** 0–1 for every pixel. */
  readonly mask: Float32Array;
  /** The row at which most of the sky ends. */
  readonly horizon: number;
  /** Share of the whole picture. */
  readonly share: number;
}

/** Returns null without a sky, or if it is too small to matter. */
export function findSky(canvas: Canvas): Sky | null {
  const scale = searched / Math.max(canvas.width, canvas.height);
  const [w, h] = [Math.max(4, Math.round(canvas.width * scale)), Math.max(4, Math.round(canvas.height * scale))];
  const rgb = stretched(canvas.rgb, 3, canvas, { width: w, height: h }, 'area');
  const found = grow(rgb, w, h);
  let area = 0;
  let lowest = 0;
  for (let y = 0; y < h; y++) {
    let row = 0;
    for (let x = 0; x < w; x++) row += found[y * w + x]!;
    area += row;
    if (row > w * 0.12) lowest = y + 1;
  }
  const share = area / (w * h);
  if (share < 0.06 || share > 0.9) return null;
  return { mask: refined(canvas, rgb, found, w, h), horizon: (lowest / h) * canvas.height, share };
}

/** Grows from the upper edge while the colour changes slowly. */
function grow(rgb: Float32Array, w: number, h: number): Float32Array {
  const at = (i: number, c: number): number => rgb[i * 3 + c]!;
  const skyish = (i: number): boolean => {
    const [r, g, b] = [at(i, 0), at(i, 1), at(i, 2)];
    const l = luma(r, g, b);
    return (
      (b >= r - 0.015 && b >= g - 0.03 && l > 0.16) ||
      (b > r + 0.04 && b > g + 0.02) ||
      (l > 0.86 && Math.max(r, g, b) - Math.min(r, g, b) < 0.1)
    );
  };
  const apart = (i: number, j: number): number =>
    Math.abs(at(i, 0) - at(j, 0)) + Math.abs(at(i, 1) - at(j, 1)) + Math.abs(at(i, 2) - at(j, 2));
  const top = Array.from({ length: w }, (_, x) => x).filter(skyish);
  return new Float32Array(flood(w, h, top, (to, from) => skyish(to) && apart(to, from) <= 0.09));
}

/** Returns the mask at full size: a pixel belongs to the sky as far as it has the colour of the sky around it. */
function refined(canvas: Canvas, rgb: Float32Array, found: Float32Array, w: number, h: number): Float32Array {
  const spread = nearby(rgb, found, w, h);
  const small = { width: w, height: h };
  const near = stretched(spread.near, 1, small, canvas, 'cubic');
  const colour = stretched(spread.colour, 3, small, canvas, 'cubic');
  for (let i = 0; i < near.length; i++) {
    let d = 0;
    for (let c = 0; c < 3; c++) d += Math.abs(canvas.rgb[i * 3 + c]! - colour[i * 3 + c]!);
    near[i] = smoothstep(0.15, 0.55, near[i]!) * smoothstep(0.34, 0.14, d);
  }
  return near;
}

/** Returns the mean colour of the nearby sky, and its share. */
function nearby(rgb: Float32Array, found: Float32Array, w: number, h: number) {
  const seen = rgb.map((value, i) => value * found[Math.floor(i / 3)]!);
  const [share, sum] = [boxBlur(found, w, h, reach), boxBlur(seen, w, h, reach, 1, 3)];
  return {
    near: found.map((value, i) => (value === 1 ? 1 : Math.min(1, share[i]! * 2))),
    colour: sum.map((value, i) => {
      const known = share[Math.floor(i / 3)]!;
      return known > 1e-3 ? value / known : rgb[i]!;
    }),
  };
}
