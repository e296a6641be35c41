/** Stained glass, mosaic, pointillism, fresco: pictures put together of pieces, or losing some. */
import { disc, each } from '../canvas.ts';
import { blend, hex, hsl, times, type Colour } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { cells } from '../filters/cells.ts';
import { planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate } from '../filters/tone.ts';
import { fbm, field, grainAt, grainTexture, lattice, ridged, waves } from '../noise.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export const stainedGlass: Look = (canvas, { random }) => {
  const { unit } = canvas;
  saturate(canvas, 1.7, 1.12, -0.06);
  const seed = random.fork();
  // Each cell has its lead came: narrow within subjects, whose panes are smaller.
  const panes = { ...cells(canvas, Math.max(8, 46 * unit), 0.95, seed), outer: 3.4 * unit + 0.8, inner: 1.6 * unit };
  const fine = { ...cells(canvas, Math.max(6, 21 * unit), 0.9, seed + 7), outer: 2 * unit + 0.6, inner: 0.8 * unit };
  const lead = planeLines(canvas, Math.max(1.2, 2.2 * unit));
  const cast = waves(canvas, 5, { across: 0.03 / unit, down: 0.012 / unit, seed: seed + 2, octaves: 3 });
  each(canvas, (_r, _g, _b, _x, _y, i) => {
    const grid = canvas.plane[i]! >= 16 ? fine : panes;
    const hue = (lattice(grid.id[i]!, 3, seed) - 0.5) * 0.2;
    const [r, g, b] = grid.colour(i);
    const glow = 0.82 + cast[i]! * 0.5 + clamp(grid.edge[i]! / (26 * unit)) * 0.22;
    const came = Math.max(smoothstep(grid.outer, grid.inner, grid.edge[i]!), lead[i]!);
    const shine = smoothstep(0.5, 0.9, came) * 0.05;
    const glass = times([r * (1 + hue) + 0.04, g + 0.03, b * (1 - hue) + 0.05], glow);
    return blend(glass, [0.05 + shine, 0.05 + shine, 0.06 + shine], came);
  });
};

export const mosaic: Look = (canvas, { random }) => {
  const { unit } = canvas;
  saturate(canvas, 1.15, 1.1);
  const seed = random.fork();
  const stones = cells(canvas, Math.max(4, 11.5 * unit), 0.42, seed);
  const grain = grainTexture(seed + 3, 64, 3);
  const mortar = times(hex('#cfc4ae'), 0.92);
  each(canvas, (_r, _g, _b, x, y, i) => {
    const [id, edge] = [stones.id[i]!, stones.edge[i]!];
    const stone = 0.94 + grainAt(grain, x / unit, y / unit) * 0.14;
    const [r, g, b] = times(stones.colour(i), (0.86 + lattice(id, 1, seed) * 0.28) * stone);
    const warm = lattice(id, 2, seed) * 0.06;
    const bevel = smoothstep(3 * unit, unit, edge) * 0.12;
    const gap = smoothstep(1.15 * unit + 0.5, 0.3 * unit, edge);
    return blend([r + warm - bevel, g + warm * 0.6 - bevel, b - bevel], times(mortar, stone), gap);
  });
};

export const pointillism: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  saturate(canvas, 1.35, 1.02, 0.03);
  const { rgb } = canvas;
  canvas.rgb = Float32Array.from(rgb, (_, p) => [0.93, 0.9, 0.82][p % 3]!);
  const r = random.stream('dots');
  for (let layer = 0; layer < 3; layer++) {
    const size = Math.max(1.3, (5.6 - layer * 1.15) * unit);
    const total = Math.round((width * height * 1.15) / (size * size * 3));
    for (let n = 0; n < total; n++) {
      const x = r.next() * width;
      const y = r.next() * height;
      const p = (Math.floor(y) * width + Math.floor(x)) * 3;
      const own: Colour = [rgb[p]!, rgb[p + 1]!, rgb[p + 2]!];
      const l = luma(...own);
      // A few dots are the complement; the others lean warm or cool.
      const turn = r.next();
      const [sr, sg, sb] = own;
      const leaning: Colour =
        turn < 0.55 ? [sr * 1.1 + 0.06, sg * 1.02, sb * 0.84] : [sr * 0.86, sg * 0.99, sb * 1.12 + 0.06];
      const c = turn < 0.08 ? blend([l, l, l], own, -0.5) : leaning;
      disc(canvas, x, y, size * r.between(0.72, 1.12), c, 0.95);
    }
  }
};

export const fresco: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 0.72, 0.8, 0.06);
  const seed = random.fork();
  const veins = field(width, height, 3, (x, y) =>
    ridged((x / unit) * 0.0065 + fbm(x * 0.01, y * 0.01, seed + 4, 2) * 0.5, (y / unit) * 0.0065, seed, 4),
  );
  const loss = waves(canvas, 4, { across: 0.0075 / unit, down: 0.0075 / unit, seed: seed + 20, octaves: 5 });
  const edge = blur(loss, width, height, 1, 3 * unit);
  const paper = tooth(canvas, seed + 9, 0.26, 2);
  const plaster = hsl(0.105, 0.3, 0.8);
  const bare = times(plaster, [0.94, 0.92, 0.88]);
  each(canvas, (r, g, b, x, y, i) => {
    const lost = loss[i]!;
    const gone = canvas.alpha ? 0 : smoothstep(0.69, 0.72, lost);
    const lip = canvas.alpha ? 0 : clamp((edge[i]! - lost) * 18) * smoothstep(0.63, 0.69, lost) * 0.4;
    const crack = smoothstep(0.885, 0.94, veins[i]!) * 0.5;
    const c = blend([r * 1.06, g * 0.99, b * 0.86], plaster, 0.16 + clamp((lost - 0.45) * 1.4) * 0.5);
    return times(blend(c, bare, gone), paper(x, y) * (1 - crack) * (1 - lip));
  });
};
