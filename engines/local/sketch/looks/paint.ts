/** Looks of paint and chalk: oil, impressionist, pastel, watercolor, fresco, pointillism, and selena's house look. */
import { blur } from '../../pixels/blur.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { type Canvas, disc, each } from '../canvas.ts';
import { blend, type Colour, hsl, times } from '../colour.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { strokes } from '../filters/strokes.ts';
import { bloom, saturate } from '../filters/tone.ts';
import { wobble } from '../filters/wobble.ts';
import { field, grainAt, grainTexture, ridged, waves } from '../noise.ts';
import { type Look, type Looks, tooth } from './look.ts';

/** Lights the ridges of the paint from the upper left. */
function emboss(canvas: Canvas, strength: number): void {
  const grey = lumaOf(canvas.rgb);
  each(canvas, (r, g, b, x, y, i) => {
    if (x === 0 || y === 0) return null;
    const k = clamp((grey[i]! - grey[i - canvas.width - 1]!) * strength, -0.09, 0.09);
    return [r + k, g + k, b + k];
  });
}

const oil: Look = (canvas, { random }) => {
  saturate(canvas, 1.18, 1.06);
  strokes(canvas, random, 0.65, [
    { width: 30, length: 90, cover: 1.6, jitter: 0.16 },
    { width: 16, length: 52, cover: 1.9, jitter: 0.13 },
    { width: 8, length: 28, cover: 2, jitter: 0.08, detail: 0.5 },
    { width: 4.2, length: 15, cover: 2.2, jitter: 0.04, detail: 1.1 },
  ]);
  emboss(canvas, 0.65);
};

const impressionist: Look = (canvas, { random }) => {
  saturate(canvas, 1.4, 1.02, 0.03);
  const brushes = [
    { width: 22, length: 40, cover: 1.6, jitter: 0.3 },
    { width: 11, length: 21, cover: 1.5, jitter: 0.32 },
    { width: 7.5, length: 15, cover: 2, jitter: 0.24, detail: 0.9 },
  ];
  strokes(canvas, random, 0.4, brushes, [0.86, 0.78, 0.66]);
  emboss(canvas, 0.25);
};

/** Draws with chalk on a warm, toned paper whose texture shows through. */
const pastel: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.25, 0.98, 0.06);
  const toned: Colour = [0.79, 0.7, 0.6];
  const brushes = [
    { width: 12, length: 46, cover: 3.4, jitter: 0.09 },
    { width: 6, length: 22, cover: 2, jitter: 0.09, detail: 0.5 },
    { width: 3.4, length: 11, cover: 2.2, jitter: 0.05, detail: 1.2 },
  ];
  strokes(canvas, random, 0.6, brushes, toned);
  const grain = grainTexture(random.fork(), 128, 2);
  const bare = (x: number, y: number) => clamp((grainAt(grain, x / u, y / u) - 0.56) * 5) * 0.55;
  each(canvas, (r, g, b, x, y) => blend([r, g, b], toned, bare(x, y)));
};

/** Paints soft gouache: patches and a few visible strokes, with a warm glow. */
export const selenaHouse: Look = (canvas, { random }) => {
  const u = canvas.unit;
  saturate(canvas, 1.12, 1.03, 0.01);
  kuwahara(canvas, 3 * u);
  strokes(canvas, random, 0.35, [
    { width: 20, length: 54, cover: 1.6, jitter: 0.07 },
    { width: 9, length: 26, cover: 2, jitter: 0.06 },
    { width: 4.6, length: 13, cover: 2.4, jitter: 0.04, detail: 0.55 },
    { width: 2.8, length: 8, cover: 2.4, jitter: 0.02, detail: 1.3 },
  ]);
  bloom(canvas, 18 * u, 0.72, 0.35);
  const paper = tooth(canvas, random.fork(), 0.05);
  each(canvas, (r, g, b, x, y) => times([r, g, b], paper(x, y)));
};

const watercolor: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  wobble(canvas, seed + 40, 15 * unit, 0.02);
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 1.3, 0.92);
  const grey = lumaOf(canvas.rgb);
  const soft = blur(grey, width, height, 1, 5 * unit);
  const wash = waves(canvas, 5, { across: 0.006 / unit, down: 0.006 / unit, seed, octaves: 4 });
  const granules = grainTexture(seed + 9, 128, 2);
  const paper = tooth(canvas, seed + 4, 0.16, 1.2);
  each(canvas, (r, g, b, x, y, i) => {
    const loose = (wash[i]! - 0.5) * 2.1;
    const rim = clamp(Math.abs(grey[i]! - soft[i]!) * 2.4, 0, 0.22);
    const granule = (grainAt(granules, x / unit, y / unit) - 0.5) * 0.22 * (1 - grey[i]!);
    const edge = Math.min(x, y, width - 1 - x, height - 1 - y) / (46 * unit) + loose;
    const cover = canvas.alpha ? 1 : smoothstep(0.12, 0.34, edge);
    const dark = canvas.alpha ? 0 : smoothstep(0.34, 0.2, edge) * cover * 0.3;
    const density = 0.72 + loose * 0.405 + granule + dark;
    const k = 0.45 + 0.55 * paper(x, y);
    const wet = (v: number) => (1 - clamp((1 - v) * density + rim) * cover) * k;
    return [0.985 * wet(r), 0.972 * wet(g), 0.94 * wet(b)];
  });
};

const fresco: Look = (canvas, { random }) => {
  const { unit } = canvas;
  kuwahara(canvas, 6 * unit);
  saturate(canvas, 0.72, 0.8, 0.06);
  const seed = random.fork();
  const veins = field(canvas, 3, (x, y) => ridged((x * 0.0065) / unit, (y * 0.0065) / unit, seed, 4));
  const loss = waves(canvas, 4, { across: 0.0075 / unit, down: 0.0075 / unit, seed: seed + 20, octaves: 5 });
  const paper = tooth(canvas, seed + 9, 0.26, 2);
  const plaster = hsl(0.105, 0.3, 0.8);
  const bare = times(plaster, [0.94, 0.92, 0.88]);
  each(canvas, (r, g, b, x, y, i) => {
    const lost = loss[i]!;
    const gone = canvas.alpha ? 0 : smoothstep(0.69, 0.72, lost);
    const crack = smoothstep(0.885, 0.94, veins[i]!) * 0.5;
    const c = blend([r * 1.06, g * 0.99, b * 0.86], plaster, 0.16 + clamp((lost - 0.45) * 1.4) * 0.5);
    return times(blend(c, bare, gone), paper(x, y) * (1 - crack));
  });
};

const pointillism: Look = (canvas, { random }) => {
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

export const paint: Looks = { fresco, impressionist, oil, pastel, pointillism, watercolor };
