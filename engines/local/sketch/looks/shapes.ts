/** Looks made of pieces: low poly, bricks, pixel art, vector, paper cut, stained glass, mosaic, pointillism. */
import { blur } from '../../pixels/blur.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { type Canvas, disc, each } from '../canvas.ts';
import { blend, type Colour, hex, hsl, rampTable, times } from '../colour.ts';
import { cells } from '../filters/cells.ts';
import { planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { meansOf } from '../filters/means.ts';
import { levelled, saturate } from '../filters/tone.ts';
import { grainAt, grainTexture, lattice, waves } from '../noise.ts';
import { type Look, stepped, tooth } from './look.ts';

/** Returns a function that gives the mean colour of the square block around a pixel. */
function blocks(canvas: Canvas, size: number): (x: number, y: number) => Colour {
  const columns = Math.ceil(canvas.width / size);
  const block = (x: number, y: number) => Math.floor(y / size) * columns + Math.floor(x / size);
  const { width, height } = canvas;
  const colour = meansOf(canvas, Int32Array.from({ length: width * height }, (_, i) => block(i % width, Math.floor(i / width)))); // prettier-ignore
  return (x, y) => colour(block(x, y));
}

type Point = readonly [x: number, y: number];

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
  // Chooses the one of six random points with the most contrast, so that facets follow the forms.
  const corner = (i: number, j: number): Point => {
    const places = Array.from({ length: 6 }, (_, t): Point => [
      (i - 1 + (lattice(i * 7 + t, j, seed) - 0.5) * 0.9) * size,
      (j - 1 + (lattice(i, j * 7 + t, seed + 1) - 0.5) * 0.9) * size,
    ]);
    const contrasts = places.map(contrastAt);
    return places[contrasts.indexOf(Math.max(...contrasts))]!;
  };
  const corners = Array.from({ length: columns * rows }, (_, k) => corner(k % columns, Math.floor(k / columns)));
  const shades: number[] = [];
  const piece = inOpenCv(({ cv, empty }) => {
    const facets = empty(height, width, cv.CV_32SC1);
    const triangle = empty(3, 1, cv.CV_32SC2);
    const draw = (points: readonly Point[], shade: number) => {
      triangle.data32S.set(points.flat().map(Math.round));
      cv.fillConvexPoly(facets, triangle, new cv.Scalar(shades.length), 8, 0);
      shades.push(shade);
    };
    for (let j = 0; j < rows - 1; j++)
      for (let i = 0; i < columns - 1; i++) {
        const k = j * columns + i;
        const [a, b, c, d] = [corners[k]!, corners[k + 1]!, corners[k + columns]!, corners[k + columns + 1]!];
        const falling = lattice(i, j, seed + 5) > 0.5;
        draw(falling ? [a, b, c] : [a, b, d], 0.93 + lattice(i, j, seed + 3) * 0.16);
        draw(falling ? [b, d, c] : [a, d, c], 0.91 + lattice(i, j, seed + 4) * 0.16);
      }
    return facets.data32S.slice();
  });
  const colour = meansOf(canvas, piece);
  each(canvas, (_r, _g, _b, _x, _y, i) => times(colour(piece[i]!), shades[piece[i]!]!));
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

/** Thresholds of a 4 × 4 Bayer matrix, for ordered dithering. */
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

/** Paints a few flat tones with clean borders, like a screen-printed poster. */
export const vector: Look = (canvas) => {
  const { unit } = canvas;
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 6 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.01);
  saturate(canvas, 1.3);
  const quantised = (v: number): number => Math.round(v * 24) / 24;
  each(canvas, (r, g, b, _x, _y, i) => {
    const q = stepped(level[i]!, 4.6);
    const tone = 0.2 + 0.78 * q;
    const warm = (q - 0.5) * 0.09;
    const [cr, cg, cb] = blend([tone, tone, tone], times([r, g, b], tone / Math.max(0.04, luma(r, g, b))), 1.25);
    return [quantised(cr) + warm, quantised(cg), quantised(cb) - warm];
  });
};

export const paperCut: Look = (canvas, { random, brief }) => {
  const { width, height, unit, plane } = canvas;
  kuwahara(canvas, 9 * unit);
  kuwahara(canvas, 5 * unit);
  // A sheet is one step of tone within one plane, so that a sky also becomes several sheets.
  const sheet = new Float32Array(width * height);
  const steps = 5;
  each(canvas, (r, g, b, _x, _y, i) => {
    const l = clamp(luma(r, g, b));
    const step = Math.floor(l * steps * 0.999);
    const within = plane[i]! === 0 ? (steps - step) * 0.3 : step * 0.16;
    sheet[i] = Math.min(plane[i]!, 8) * 0.55 + within + (plane[i]! >= 16 ? 1 : 0);
    return times([r, g, b], ((step + 0.55) / steps / Math.max(0.05, l)) * 0.75 + 0.25);
  });
  const raised = blur(sheet, width, height, 1, 7 * unit);
  const off = Math.round(7 * unit);
  const paper = tooth(canvas, random.fork(), 0.13);
  const stock = rampTable(brief.palette ?? [hex('#2d3a55'), hsl(0.08, 0.5, 0.6), hex('#fff3dc')]);
  each(canvas, (r, g, b, x, y, i) => {
    const behind = Math.max(0, y - off) * width + Math.max(0, x - off);
    const shadow = clamp((raised[behind]! - sheet[i]!) * 1.1) * 0.62;
    const lip = clamp((sheet[i]! - raised[i]!) * 0.9) * 0.13 + 0.03;
    const k = paper(x, y);
    const l = luma(r, g, b);
    const [cr, cg, cb] = blend([l, l, l], blend([r, g, b], stock(l), 0.1), 1.25);
    return blend([cr * k + lip, cg * k + lip, cb * k + lip], [0.06, 0.06, 0.06], shadow);
  });
};

export const stainedGlass: Look = (canvas, { random }) => {
  const { unit } = canvas;
  saturate(canvas, 1.7, 1.12, -0.06);
  const seed = random.fork();
  // Lead strips surround the panes. Subjects have smaller panes and narrower strips.
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
      // A few dots have the complementary colour; the others are slightly warmer or cooler than the picture.
      const turn = r.next();
      const [sr, sg, sb] = own;
      const leaning: Colour =
        turn < 0.55 ? [sr * 1.1 + 0.06, sg * 1.02, sb * 0.84] : [sr * 0.86, sg * 0.99, sb * 1.12 + 0.06];
      const c = turn < 0.08 ? blend([l, l, l], own, -0.5) : leaning;
      disc(canvas, x, y, size * r.between(0.72, 1.12), c, 0.95);
    }
  }
};
