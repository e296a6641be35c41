/** Looks made of pieces: low poly, bricks, pixel art, vector, paper cut, stained glass, mosaic. */
import { blur } from '../../pixels/blur.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { stretched } from '../../pixels/resample.ts';
import { type Canvas, each } from '../canvas.ts';
import { blend, hex, times } from '../colour.ts';
import { cells } from '../filters/cells.ts';
import { lines, planeLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { meansOf } from '../filters/means.ts';
import { levelled, saturate } from '../filters/tone.ts';
import { grainAt, grainTexture, lattice, waves } from '../noise.ts';
import { type Look, type Looks, stepped, tooth } from './look.ts';

/** Repaints the picture in square blocks of about `size` pixels; returns their exact width and height. */
function blocks(canvas: Canvas, size: number): readonly [number, number] {
  const { width, height, rgb } = canvas;
  const small = { width: Math.round(width / size), height: Math.round(height / size) };
  canvas.rgb = stretched(stretched(rgb, 3, canvas, small, 'area'), 3, small, canvas, 'nearest');
  return [width / small.width, height / small.height];
}

type Point = readonly [x: number, y: number];

const lowPoly: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  saturate(canvas, 1.2, 1.05);
  const size = Math.max(6, 21 * unit);
  const seed = random.fork();
  const [columns, rows] = [Math.ceil(width / size) + 3, Math.ceil(height / size) + 3];
  const contrast = lines(canvas, 1);
  const contrastAt = ([x, y]: Point) => contrast[Math.round(y) * width + Math.round(x)] ?? 0;
  // Chooses the one of six random points with the most contrast, so that facets follow the forms.
  const corners = Array.from({ length: columns * rows }, (_, k) => {
    const [i, j] = [k % columns, Math.floor(k / columns)];
    const places = Array.from({ length: 6 }, (__, t): Point => [
      (i - 1 + (lattice(i * 7 + t, j, seed) - 0.5) * 0.9) * size,
      (j - 1 + (lattice(i, j * 7 + t, seed + 1) - 0.5) * 0.9) * size,
    ]);
    return places.reduce((best, place) => (contrastAt(place) > contrastAt(best) ? place : best));
  });
  const piece = inOpenCv(({ cv, empty }) => {
    const [facets, triangle] = [empty(height, width, cv.CV_32SC1), empty(3, 1, cv.CV_32SC2)];
    const draw = (n: number, points: readonly Point[]) => {
      triangle.data32S.set(points.flat().map(Math.round));
      cv.fillConvexPoly(facets, triangle, new cv.Scalar(n), 8, 0);
    };
    for (let k = 0; k < corners.length - columns; k++) {
      if ((k + 1) % columns === 0) continue;
      const [a, b, c, d] = [corners[k]!, corners[k + 1]!, corners[k + columns]!, corners[k + columns + 1]!];
      draw(2 * k, [a, b, c]);
      draw(2 * k + 1, [b, d, c]);
    }
    return facets.data32S.slice();
  });
  const colour = meansOf(canvas, piece);
  each(canvas, (_r, _g, _b, _x, _y, i) => times(colour(piece[i]!), 0.92 + lattice(piece[i]!, 3, seed) * 0.16));
};

const bricks: Look = (canvas) => {
  saturate(canvas, 1.35, 1.1);
  const [wide, tall] = blocks(canvas, Math.max(6, 16 * canvas.unit));
  const quantised = (n: number): number => Math.round(clamp(n) * 11) / 11;
  each(canvas, (r, g, b, x, y) => {
    const [u, v] = [((x / wide) % 1) - 0.5, ((y / tall) % 1) - 0.5];
    const d = Math.sqrt(u * u + v * v);
    const slope = (-u - v) * 1.4;
    let k = 1 + 0.1 * (Math.abs(u) > 0.44 || Math.abs(v) > 0.44 ? Math.sign(slope) * 1.6 : 0);
    if (d < 0.33) k += 0.06;
    if (d > 0.27 && d < 0.36) k += slope * 0.42;
    k -= smoothstep(0.5, 0.36, Math.sqrt((u - 0.07) ** 2 + (v - 0.09) ** 2)) * smoothstep(0.33, 0.4, d) * 0.24;
    return times([quantised(r), quantised(g), quantised(b)], k);
  });
};

/** Thresholds of a 4 × 4 Bayer matrix, for ordered dithering. */
const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

const pixelArt: Look = (canvas) => {
  saturate(canvas, 1.4, 1.12);
  const [wide, tall] = blocks(canvas, Math.max(3, 8 * canvas.unit));
  each(canvas, (r, g, b, x, y) => {
    const t = (bayer[(Math.floor(y / tall) & 3) * 4 + (Math.floor(x / wide) & 3)]! / 16 - 0.47) * 0.17;
    const quantised = (n: number): number => Math.round(clamp(n + t) * 5) / 5;
    return [quantised(r), quantised(g), quantised(b)];
  });
};

/** Paints a few flat tones with clean borders, like a screen-printed poster. */
const vector: Look = (canvas) => {
  const { unit } = canvas;
  kuwahara(canvas, 8 * unit);
  kuwahara(canvas, 6 * unit);
  const level = levelled(lumaOf(canvas.rgb), 0.01);
  saturate(canvas, 1.3);
  each(canvas, (r, g, b, _x, _y, i) => {
    const q = stepped(level[i]!, 4.6);
    const tone = 0.2 + 0.78 * q;
    const warm = (q - 0.5) * 0.09;
    const [cr, cg, cb] = blend([tone, tone, tone], times([r, g, b], tone / Math.max(0.04, luma(r, g, b))), 1.25);
    return [cr + warm, cg, cb - warm];
  });
};

const paperCut: Look = (canvas, { random }) => {
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
  each(canvas, (r, g, b, x, y, i) => {
    const behind = Math.max(0, y - off) * width + Math.max(0, x - off);
    const shadow = clamp((raised[behind]! - sheet[i]!) * 1.1) * 0.62;
    const lip = clamp((sheet[i]! - raised[i]!) * 0.9) * 0.13 + 0.03;
    const k = paper(x, y);
    const l = luma(r, g, b);
    const [cr, cg, cb] = blend([l, l, l], [r, g, b], 1.2);
    return blend([cr * k + lip, cg * k + lip, cb * k + lip], [0.06, 0.06, 0.06], shadow);
  });
};

const stainedGlass: Look = (canvas, { random }) => {
  const { unit } = canvas;
  saturate(canvas, 1.7, 1.12, -0.06);
  const seed = random.fork();
  // A lead strip is solid up to `inner` pixels from an edge and ends at `outer`. Subjects have smaller panes.
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
    const glass = times([r * (1 + hue) + 0.04, g + 0.03, b * (1 - hue) + 0.05], glow);
    return blend(glass, [0.08, 0.08, 0.09], came);
  });
};

const mosaic: Look = (canvas, { random }) => {
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

export const shapes: Looks = {
  bricks,
  'low-poly': lowPoly,
  mosaic,
  'paper-cut': paperCut,
  'pixel-art': pixelArt,
  'stained-glass': stainedGlass,
  vector,
};
