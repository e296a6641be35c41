/** Low poly, bricks, pixel art and vector: the picture rebuilt of simple shapes. */
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, levelled, saturate } from '../filters/tone.ts';
import { lattice } from '../noise.ts';
import type { Canvas } from '../canvas.ts';
import type { Look } from './look.ts';

/** Mean colour of each block of a grid. */
function blocks(canvas: Canvas, size: number): { columns: number; colour: Float32Array } {
  const { width, height, rgb } = canvas;
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const colour = new Float32Array(columns * rows * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const o = (Math.floor(y / size) * columns + Math.floor(x / size)) * 4;
      const p = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) colour[o + c] = colour[o + c]! + rgb[p + c]!;
      colour[o + 3] = colour[o + 3]! + 1;
    }
  for (let o = 0; o < colour.length; o += 4)
    for (let c = 0; c < 3; c++) colour[o + c] = colour[o + c]! / colour[o + 3]!;
  return { columns, colour };
}

export const lowPoly: Look = (canvas, { random }) => {
  const { width, height, unit, rgb, plane } = canvas;
  saturate(canvas, 1.2, 1.05);
  const size = Math.max(6, 21 * unit);
  const seed = random.fork();
  const columns = Math.ceil(width / size) + 3;
  const rows = Math.ceil(height / size) + 3;
  const px = new Float32Array(columns * rows);
  const py = new Float32Array(columns * rows);
  const grey = lumaOf(canvas.rgb);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      let [bx, by, best] = [0, 0, -1];
      // Of a few places the one nearest to a contour, so that facets follow the forms.
      for (let t = 0; t < 6; t++) {
        const x = (i - 1 + (lattice(i * 7 + t, j, seed) - 0.5) * 0.9) * size;
        const y = (j - 1 + (lattice(i, j * 7 + t, seed + 1) - 0.5) * 0.9) * size;
        const xi = clamp(Math.round(x), 1, width - 2);
        const yi = clamp(Math.round(y), 1, height - 2);
        const p = yi * width + xi;
        const g =
          Math.abs(grey[p + 1]! - grey[p - 1]!) +
          Math.abs(grey[p + width]! - grey[p - width]!) +
          (plane[p] !== plane[p + 1] || plane[p] !== plane[p + width] ? 1 : 0);
        if (g > best) [bx, by, best] = [x, y, g];
      }
      px[j * columns + i] = bx;
      py[j * columns + i] = by;
    }
  const out = new Float32Array(rgb.length);
  const facet = (a: number, b: number, c: number, turn: number): void => {
    const [ax, ay, bx, by, cx, cy] = [px[a]!, py[a]!, px[b]!, py[b]!, px[c]!, py[c]!];
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (Math.abs(area) < 0.01) return;
    const x0 = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
    const x1 = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
    const y0 = Math.max(0, Math.floor(Math.min(ay, by, cy)));
    const y1 = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
    const sum = [0, 0, 0, 0];
    const inside = (x: number, y: number): boolean => {
      const u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area;
      const v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area;
      return u >= -0.002 && v >= -0.002 && 1 - u - v >= -0.002;
    };
    for (let pass = 0; pass < 2; pass++)
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) {
          if (!inside(x, y)) continue;
          const p = (y * width + x) * 3;
          if (pass === 0) {
            for (let k = 0; k < 3; k++) sum[k]! += rgb[p + k]!;
            sum[3]!++;
          } else for (let k = 0; k < 3; k++) out[p + k] = (sum[k]! / sum[3]!) * turn;
        }
  };
  for (let j = 0; j < rows - 1; j++)
    for (let i = 0; i < columns - 1; i++) {
      const [a, b, c, d] = [j * columns + i, j * columns + i + 1, (j + 1) * columns + i, (j + 1) * columns + i + 1];
      const l1 = 0.93 + lattice(i, j, seed + 3) * 0.16;
      const l2 = 0.91 + lattice(i, j, seed + 4) * 0.16;
      if (lattice(i, j, seed + 5) > 0.5) {
        facet(a, b, c, l1);
        facet(b, d, c, l2);
      } else {
        facet(a, b, d, l1);
        facet(a, d, c, l2);
      }
    }
  for (let p = 0; p < out.length; p += 3)
    if (out[p] === 0 && out[p + 1] === 0 && out[p + 2] === 0) for (let k = 0; k < 3; k++) out[p + k] = rgb[p + k]!;
  canvas.rgb = out;
};

export const bricks: Look = (canvas) => {
  const { width, unit } = canvas;
  saturate(canvas, 1.35, 1.1);
  const size = Math.max(6, Math.round(16 * unit));
  const { columns, colour } = blocks(canvas, size);
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const o = (Math.floor(y / size) * columns + Math.floor(x / size)) * 4;
    const [u, v] = [(x % size) / size - 0.5, (y % size) / size - 0.5];
    const d = Math.hypot(u, v);
    const slope = (-u - v) * 1.4;
    let k = 1 + 0.1 * (Math.abs(u) > 0.44 || Math.abs(v) > 0.44 ? Math.sign(slope) * 1.6 : 0);
    if (d < 0.33) k += 0.06;
    if (d > 0.27 && d < 0.36) k += slope * 0.42;
    k -= smoothstep(0.5, 0.36, Math.hypot(u - 0.07, v - 0.09)) * smoothstep(0.33, 0.4, d) * 0.24;
    const q = (n: number): number => Math.round(clamp(n) * 11) / 11;
    return [q(colour[o]!) * k, q(colour[o + 1]!) * k, q(colour[o + 2]!) * k];
  });
};

const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

export const pixelArt: Look = (canvas) => {
  const { width, unit } = canvas;
  saturate(canvas, 1.4, 1.12);
  const size = Math.max(3, Math.round(8 * unit));
  const { columns, colour } = blocks(canvas, size);
  each(canvas, (_r, _g, _b, i) => {
    const [bx, by] = [Math.floor((i % width) / size), Math.floor(Math.floor(i / width) / size)];
    const o = (by * columns + bx) * 4;
    const t = (bayer[(by & 3) * 4 + (bx & 3)]! / 16 - 0.47) * 0.17;
    const q = (n: number): number => Math.round(clamp(n + t) * 5) / 5;
    return [q(colour[o]!), q(colour[o + 1]!), q(colour[o + 2]!)];
  });
};

/** Few flat tones with clean borders, offset shadows none: a screen-printed poster. */
export const vector: Look = (canvas) => {
  const { unit } = canvas;
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 6 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.01);
  saturate(canvas, 1.3, 1);
  each(canvas, (r, g, b, i) => {
    const l = Math.max(0.04, luma(r, g, b));
    const steps = 4.6;
    const at = level[i]! * steps;
    const q = (Math.floor(at) + smoothstep(0.46, 0.54, at % 1)) / steps;
    const k = (0.2 + 0.78 * q) / l;
    const warm = (q - 0.5) * 0.09;
    const cr = 0.2 + 0.78 * q;
    const hue = (v: number): number => cr + (v * k - cr) * 1.25;
    return [Math.round(hue(r) * 24) / 24 + warm, Math.round(hue(g) * 24) / 24, Math.round(hue(b) * 24) / 24 - warm];
  });
};
