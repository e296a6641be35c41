/** Low poly, bricks, pixel art and vector: the picture rebuilt of simple shapes. */
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { levelled, saturate } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import { each, type Canvas } from '../canvas.ts';
import { blend, times, type Colour } from '../colour.ts';
import type { Look } from './look.ts';

/** Returns a function that gives the mean colour of the block around a pixel. */
function blocks({ width, height, rgb }: Canvas, size: number): (x: number, y: number) => Colour {
  const columns = Math.ceil(width / size);
  const sums = new Float32Array(columns * Math.ceil(height / size) * 4);
  const at = (x: number, y: number) => (Math.floor(y / size) * columns + Math.floor(x / size)) * 4;
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p += 3) {
      const o = at(x, y);
      for (let c = 0; c < 3; c++) sums[o + c]! += rgb[p + c]!;
      sums[o + 3]!++;
    }
  return (x, y) => {
    const o = at(x, y);
    return [sums[o]! / sums[o + 3]!, sums[o + 1]! / sums[o + 3]!, sums[o + 2]! / sums[o + 3]!];
  };
}

type Point = readonly [x: number, y: number];

/** Fills a triangle with its mean colour times `shade`. */
function facet({ width, height, rgb }: Canvas, out: Float32Array, [a, b, c]: readonly Point[], shade: number): void {
  const [[ax, ay], [bx, by], [cx, cy]] = [a!, b!, c!];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (Math.abs(area) < 0.01) return;
  const [x0, x1] = [
    Math.max(0, Math.floor(Math.min(ax, bx, cx))),
    Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx))),
  ];
  const [y0, y1] = [
    Math.max(0, Math.floor(Math.min(ay, by, cy))),
    Math.min(height - 1, Math.ceil(Math.max(ay, by, cy))),
  ];
  const sum = [0, 0, 0];
  const inside: number[] = [];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area;
      const v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area;
      if (u < -0.002 || v < -0.002 || u + v > 1.002) continue;
      const p = (y * width + x) * 3;
      inside.push(p);
      for (let k = 0; k < 3; k++) sum[k]! += rgb[p + k]!;
    }
  for (const p of inside) for (let k = 0; k < 3; k++) out[p + k] = (sum[k]! / inside.length) * shade;
}

export const lowPoly: Look = (canvas, { random }) => {
  const { width, height, unit, plane } = canvas;
  saturate(canvas, 1.2, 1.05);
  const size = Math.max(6, 21 * unit);
  const seed = random.fork();
  const [columns, rows] = [Math.ceil(width / size) + 3, Math.ceil(height / size) + 3];
  const grey = lumaOf(canvas.rgb);
  const contrastAt = ([x, y]: Point) => {
    const p = clamp(Math.round(y), 1, height - 2) * width + clamp(Math.round(x), 1, width - 2);
    const tone = Math.abs(grey[p + 1]! - grey[p - 1]!) + Math.abs(grey[p + width]! - grey[p - width]!);
    return tone + (plane[p] !== plane[p + 1] || plane[p] !== plane[p + width] ? 1 : 0);
  };
  // Takes the one of a few places that is nearest to a contour, so that facets follow the forms.
  const corner = (i: number, j: number): Point => {
    const places = Array.from({ length: 6 }, (_, t): Point => [
      (i - 1 + (lattice(i * 7 + t, j, seed) - 0.5) * 0.9) * size,
      (j - 1 + (lattice(i, j * 7 + t, seed + 1) - 0.5) * 0.9) * size,
    ]);
    const contrasts = places.map(contrastAt);
    return places[contrasts.indexOf(Math.max(...contrasts))]!;
  };
  const corners = Array.from({ length: columns * rows }, (_, k) => corner(k % columns, Math.floor(k / columns)));
  const out = canvas.rgb.slice();
  for (let j = 0; j < rows - 1; j++)
    for (let i = 0; i < columns - 1; i++) {
      const k = j * columns + i;
      const [a, b, c, d] = [corners[k]!, corners[k + 1]!, corners[k + columns]!, corners[k + columns + 1]!];
      const falling = lattice(i, j, seed + 5) > 0.5;
      facet(canvas, out, falling ? [a, b, c] : [a, b, d], 0.93 + lattice(i, j, seed + 3) * 0.16);
      facet(canvas, out, falling ? [b, d, c] : [a, d, c], 0.91 + lattice(i, j, seed + 4) * 0.16);
    }
  canvas.rgb = out;
};

export const bricks: Look = (canvas) => {
  saturate(canvas, 1.35, 1.1);
  const size = Math.max(6, Math.round(16 * canvas.unit));
  const colour = blocks(canvas, size);
  const quantised = (n: number): number => Math.round(clamp(n) * 11) / 11;
  each(canvas, (_r, _g, _b, x, y) => {
    const [u, v] = [(x % size) / size - 0.5, (y % size) / size - 0.5];
    const d = Math.sqrt(u * u + v * v);
    const slope = (-u - v) * 1.4;
    let k = 1 + 0.1 * (Math.abs(u) > 0.44 || Math.abs(v) > 0.44 ? Math.sign(slope) * 1.6 : 0);
    if (d < 0.33) k += 0.06;
    if (d > 0.27 && d < 0.36) k += slope * 0.42;
    k -= smoothstep(0.5, 0.36, Math.sqrt((u - 0.07) ** 2 + (v - 0.09) ** 2)) * smoothstep(0.33, 0.4, d) * 0.24;
    const [r, g, b] = colour(x, y);
    return times([quantised(r), quantised(g), quantised(b)], k);
  });
};

const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

export const pixelArt: Look = (canvas) => {
  saturate(canvas, 1.4, 1.12);
  const size = Math.max(3, Math.round(8 * canvas.unit));
  const colour = blocks(canvas, size);
  each(canvas, (_r, _g, _b, x, y) => {
    const t = (bayer[(Math.floor(y / size) & 3) * 4 + (Math.floor(x / size) & 3)]! / 16 - 0.47) * 0.17;
    const quantised = (n: number): number => Math.round(clamp(n + t) * 5) / 5;
    const [r, g, b] = colour(x, y);
    return [quantised(r), quantised(g), quantised(b)];
  });
};

/** Few flat tones with clean borders: a screen-printed poster. */
export const vector: Look = (canvas) => {
  const { unit } = canvas;
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 6 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.01);
  saturate(canvas, 1.3);
  const steps = 4.6;
  const quantised = (v: number): number => Math.round(v * 24) / 24;
  each(canvas, (r, g, b, _x, _y, i) => {
    const at = level[i]! * steps;
    const q = (Math.floor(at) + smoothstep(0.46, 0.54, at % 1)) / steps;
    const tone = 0.2 + 0.78 * q;
    const warm = (q - 0.5) * 0.09;
    const [cr, cg, cb] = blend([tone, tone, tone], times([r, g, b], tone / Math.max(0.04, luma(r, g, b))), 1.25);
    return [quantised(cr) + warm, quantised(cg), quantised(cb) - warm];
  });
};
