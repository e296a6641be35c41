/** Stained glass, mosaic, pointillism, fresco: pictures put together of pieces, or losing some. */
import { blend, hex, hsl, type Colour } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { cells } from '../filters/cells.ts';
import { planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, saturate } from '../filters/tone.ts';
import { fbm, field, grainAt, grainTexture, lattice, ridged } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export const stainedGlass: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  saturate(canvas, 1.7, 1.12, -0.06);
  const seed = random.fork();
  const panes = cells(canvas, Math.max(8, 46 * unit), 0.95, seed);
  const fine = cells(canvas, Math.max(6, 21 * unit), 0.9, seed + 7);
  const lead = planeLines(canvas, Math.max(1.2, 2.2 * unit));
  const cast = field(width, height, 5, (x, y) => fbm((x / unit) * 0.03, (y / unit) * 0.012, seed + 2, 3));
  each(canvas, (_r, _g, _b, i) => {
    const subject = canvas.plane[i]! >= 16;
    const grid = subject ? fine : panes;
    const k = grid.id[i]! * 3;
    const hue = (lattice(grid.id[i]!, 3, seed) - 0.5) * 0.2;
    const c: Colour = [
      grid.colour[k]! * (1 + hue) + 0.04,
      grid.colour[k + 1]! + 0.03,
      grid.colour[k + 2]! * (1 - hue) + 0.05,
    ];
    const glow = 0.82 + cast[i]! * 0.5 + clamp(grid.edge[i]! / (26 * unit)) * 0.22;
    const came = Math.max(
      smoothstep(subject ? 2 * unit + 0.6 : 3.4 * unit + 0.8, subject ? 0.8 * unit : 1.6 * unit, grid.edge[i]!),
      lead[i]!,
    );
    const shine = smoothstep(0.5, 0.9, came) * 0.05;
    return blend([c[0] * glow, c[1] * glow, c[2] * glow], [0.05 + shine, 0.05 + shine, 0.06 + shine], came);
  });
};

export const mosaic: Look = (canvas, { random }) => {
  const { unit, width } = canvas;
  saturate(canvas, 1.15, 1.1);
  const seed = random.fork();
  const stones = cells(canvas, Math.max(4, 11.5 * unit), 0.42, seed);
  const grain = grainTexture(seed + 3, 64, 3);
  const mortar = hex('#cfc4ae');
  each(canvas, (_r, _g, _b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const k = stones.id[i]! * 3;
    const shade = 0.86 + lattice(stones.id[i]!, 1, seed) * 0.28;
    const stone = 0.94 + grainAt(grain, x / unit, y / unit) * 0.14;
    const warm = lattice(stones.id[i]!, 2, seed) * 0.06;
    const c: Colour = [
      stones.colour[k]! * shade * stone + warm,
      stones.colour[k + 1]! * shade * stone + warm * 0.6,
      stones.colour[k + 2]! * shade * stone,
    ];
    const gap = smoothstep(1.15 * unit + 0.5, 0.3 * unit, stones.edge[i]!);
    const bevel = smoothstep(3 * unit, unit, stones.edge[i]!) * 0.12;
    return blend(
      [c[0] - bevel, c[1] - bevel, c[2] - bevel],
      [mortar[0] * stone * 0.92, mortar[1] * stone * 0.92, mortar[2] * stone * 0.92],
      gap,
    );
  });
};

export const pointillism: Look = (canvas, { random }) => {
  const { width, height, unit, rgb } = canvas;
  saturate(canvas, 1.35, 1.02, 0.03);
  const out = new Float32Array(rgb.length);
  for (let p = 0; p < out.length; p += 3) out.set([0.93, 0.9, 0.82], p);
  const r = random.stream('dots');
  for (let layer = 0; layer < 3; layer++) {
    const size = Math.max(1.3, (5.6 - layer * 1.15) * unit);
    const total = Math.round((width * height * 1.15) / (size * size * 3));
    for (let n = 0; n < total; n++) {
      const x = r.next() * width;
      const y = r.next() * height;
      const p = (Math.floor(y) * width + Math.floor(x)) * 3;
      const [sr, sg, sb] = [rgb[p]!, rgb[p + 1]!, rgb[p + 2]!];
      const l = luma(sr, sg, sb);
      // One dot in seven is the complement, the others lean warm or cool.
      const turn = r.next();
      const c: Colour =
        turn < 0.08
          ? [l - (sr - l) * 0.5, l - (sg - l) * 0.5, l - (sb - l) * 0.5]
          : turn < 0.55
            ? [sr * 1.1 + 0.06, sg * 1.02, sb * 0.84]
            : [sr * 0.86, sg * 0.99, sb * 1.12 + 0.06];
      const k = size * r.between(0.72, 1.12);
      const y1 = Math.min(height - 1, Math.ceil(y + k));
      const x1 = Math.min(width - 1, Math.ceil(x + k));
      for (let py = Math.max(0, Math.floor(y - k)); py <= y1; py++)
        for (let px = Math.max(0, Math.floor(x - k)); px <= x1; px++) {
          const a = clamp(k - Math.hypot(px - x, py - y) + 0.5) * 0.95;
          if (a <= 0) continue;
          const o = (py * width + px) * 3;
          for (let q = 0; q < 3; q++) out[o + q] = out[o + q]! + (c[q]! - out[o + q]!) * a;
        }
    }
  }
  canvas.rgb = out;
};

export const fresco: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 0.72, 0.8, 0.06);
  const seed = random.fork();
  const step = 4;
  const veins = field(width, height, 3, (x, y) =>
    ridged((x / unit) * 0.0065 + fbm(x * 0.01, y * 0.01, seed + 4, 2) * 0.5, (y / unit) * 0.0065, seed, 4),
  );
  const loss = field(width, height, step, (x, y) => fbm((x / unit) * 0.0075, (y / unit) * 0.0075, seed + 20, 5));
  const edge = blur(loss, width, height, 1, 3 * unit);
  const paper = tooth(canvas, seed + 9, 0.26, 2);
  const plaster = hsl(0.105, 0.3, 0.8);
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const k = paper(x, y);
    const gone = canvas.alpha ? 0 : smoothstep(0.69, 0.72, loss[i]!);
    const lip = canvas.alpha ? 0 : clamp((edge[i]! - loss[i]!) * 18) * smoothstep(0.63, 0.69, loss[i]!) * 0.4;
    const thin = 0.16 + clamp((loss[i]! - 0.45) * 1.4) * 0.5;
    const crack = smoothstep(0.885, 0.94, veins[i]!) * 0.5;
    const c = blend([r * 1.06, g * 0.99, b * 0.86], plaster, thin);
    const d = blend(c, [plaster[0] * 0.94, plaster[1] * 0.92, plaster[2] * 0.88], gone);
    const m = k * (1 - crack) * (1 - lip);
    return [d[0] * m, d[1] * m, d[2] * m];
  });
};
