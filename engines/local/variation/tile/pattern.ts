/** The style infiny-pattern: prints a photograph's middle in medallions in a half-drop repeat, in its own colours. */
import { luma } from '../../pixels/luma.ts';
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';
import { stretched } from '../../pixels/resample.ts';
import { type Canvas, each } from '../../sketch/canvas.ts';
import { blend, type Colour, mixInto, times } from '../../sketch/colour.ts';
import { waves } from '../../sketch/noise.ts';
import type { Random } from '../../sketch/random.ts';
import type { Brief } from '../../sketch/read/brief.ts';
import { lay, motifs, repeats } from '../../sketch/tile/wrap.ts';
import { clustersOf } from '../clusters.ts';

/** Number of colours in which the photograph is printed. */
const inks = 9;

/** Shapes of medallions. Each returns the distance from the middle; neighbours touch at 0.5. */
const shapes: readonly ((u: number, v: number) => number)[] = [
  (u, v) => Math.hypot(u, v),
  (u, v) => (Math.abs(u) + Math.abs(v)) * 0.72 + Math.hypot(u, v) * 0.2,
  (u, v) => Math.hypot(u, v) * (1 - 0.09 * Math.cos(4 * Math.atan2(v, u))),
  (u, v) => Math.hypot(u, v) * (1 - 0.05 * Math.cos(8 * Math.atan2(v, u))),
];

/** @param photo the whole, uncut picture */
export async function pattern(canvas: Canvas, brief: Brief, random: Random, photo: Canvas): Promise<void> {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  const shape = random.pick(shapes);
  const size = random.pick([0.5, 0.5, 0.25]) * Math.min(width, height);
  // A half-drop repeat needs an even number of columns to join at the edges.
  const across = Math.max(2, 2 * repeats(width / 2, size));
  const down = repeats(height, size);
  const [cw, ch] = [width / across, height / down];
  const side = Math.min(cw, ch);
  // The photograph at the size of a medallion, and the ink nearest to each of its pixels.
  const scale = side / (Math.min(photo.width, photo.height) * 1.08);
  const scaled = (length: number) => Math.max(8, Math.round(length * scale));
  const small = { width: scaled(photo.width), height: scaled(photo.height) };
  const rgb = stretched(photo.rgb, 3, photo, small, 'area');
  const { labels, means } = clustersOf(rgb, inks);
  const [ground, second, accent, pale] = cloth(means, random.chance(0.5));
  const printed = (u: number, v: number): Colour => {
    const x = clamp(Math.round(small.width / 2 + u * side), 0, small.width - 1);
    const y = clamp(Math.round(small.height / 2 + v * side), 0, small.height - 1);
    const i = y * small.width + x;
    return blend([rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!], means[labels[i]!]!, 0.55);
  };
  const noise = (n: number, octaves: number) =>
    waves(canvas, 1, { across: n / width, down: n / height, seed: seed + n, octaves, period: [n, n] });
  const [mottled, linen] = [noise(9, 3), noise(160, 2)];
  each(canvas, (_r, _g, _b, x, y, index) => {
    const i = Math.floor(x / cw);
    const u = ((x / cw - i - 0.5) * cw) / side;
    const v = ((wrap(y / ch + (i % 2) * 0.5, 1) - 0.5) * ch) / side;
    const d = shape(u, v);
    let c = blend(ground, second, clamp(0.3 + (mottled[index]! - 0.5) * 0.9));
    c = blend(c, accent, smoothstep(0.012, 0.006, Math.abs(d - 0.462)));
    c = blend(c, pale, smoothstep(0.448, 0.442, d));
    if (d < 0.44) c = blend(c, printed(i % 2 === 0 ? u : -u, v), smoothstep(0.432, 0.424, d));
    return times(c, 1 + (linen[index]! - 0.5) * 0.16);
  });
  const set = await motifs(brief, random, side * 0.3);
  for (let i = 0; i < across; i++)
    for (let j = 0; j < down; j++) {
      const motif = set[(i + j) % Math.max(1, set.length)];
      const [x, upper, lower] = [i * cw, (j + 0.25) * ch, (j + 0.75) * ch];
      if (motif) lay(canvas, motif, x, upper, 0, 1);
      else star(canvas, x, upper, 7 * unit, accent, pale);
      star(canvas, x, lower, 7 * unit, accent, pale);
    }
}

/** Chooses ground, second, accent and a fourth colour, pale on a dark ground and dark on a light one, from the inks. */
function cloth(tones: readonly Colour[], dark: boolean): readonly [Colour, Colour, Colour, Colour] {
  const byLight = [...tones].sort((a, b) => luma(...a) - luma(...b));
  const chroma = (c: Colour): number => Math.max(...c) - Math.min(...c);
  const accent = [...tones].sort((a, b) => chroma(b) - chroma(a))[0] ?? [0.7, 0.3, 0.2];
  const [deep, middle, high] = [byLight[1]!, byLight[Math.floor(tones.length / 2)]!, byLight[tones.length - 1]!];
  const pale = blend(high, [1, 0.98, 0.94], 0.35);
  return dark
    ? [blend(deep, [0, 0, 0], 0.25), blend(deep, middle, 0.5), accent, pale]
    : [blend(high, [1, 0.98, 0.93], 0.5), blend(high, middle, 0.45), accent, blend(deep, [0, 0, 0], 0.2)];
}

/** Paints a small ornament with five petals in a gap. */
function star(canvas: Canvas, cx: number, cy: number, size: number, petal: Colour, eye: Colour): void {
  const reach = Math.ceil(size * 2.2);
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const d = Math.hypot(dx, dy) / size;
      const leaf = 1.15 + 0.75 * Math.cos(5 * Math.atan2(dy, dx));
      const a = clamp((leaf - d) * size * 0.5);
      const p = (wrap(Math.round(cy) + dy, canvas.height) * canvas.width + wrap(Math.round(cx) + dx, canvas.width)) * 3;
      if (a > 0) mixInto(canvas.rgb, p, d < 0.45 ? eye : petal, a * 0.95);
    }
}
