/** Infiny weave: motifs worked into interlaced threads, over and under, that run on beyond every edge. */
import { each, type Canvas } from '../canvas.ts';
import { blend, type Colour } from '../colour.ts';
import { waves } from '../noise.ts';
import { cloth, lay, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, wrap } from '../../pixels/range.ts';

export const weave: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const tones = cloth(brief, byWords);
  const seed = random.fork();
  const across = repeats(width, 340 * unit);
  const down = repeats(height, 340 * unit);
  const [cw, ch] = [width / across, height / down];
  // The cartoon that the weaver follows: bands, diamonds, motifs.
  const mottled = waves(canvas, 1, { across: 6 / width, down: 6 / height, seed, octaves: 3, period: [6, 6] });
  each(canvas, (_r, _g, _b, x, y, i) => {
    const diamond = Math.abs(((x / cw) % 1) - 0.5) + Math.abs(((y / ch) % 1) - 0.5);
    const ring = Math.abs(diamond - 0.5);
    const band = ring < 0.035 ? tones[2] : ring < 0.075 ? tones[3] : diamond < 0.5 ? tones[0] : tones[1];
    const n = mottled[i]! - 0.5;
    return blend(band, n > 0 ? tones[3] : tones[0], Math.abs(n) * 0.35);
  });
  const set = await motifs(brief, random, Math.min(cw, ch) * 0.5, byWords);
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++) {
      const [a, b] = [set[(i + j) % set.length], set[(i + j + 1) % set.length]];
      if (a) lay(canvas, a, (i + 0.5) * cw, (j + 0.5) * ch, 0, 1);
      if (b) lay(canvas, b, i * cw, j * ch, 0, 0.62);
    }
  thread(canvas, seed + 4, tones);
};

/** Turns the cartoon into warp and weft: each crossing takes one colour and its own relief. */
function thread(canvas: Canvas, seed: number, tones: readonly Colour[]): void {
  const { width, height, unit, rgb } = canvas;
  const columns = repeats(width, Math.max(4, 8.6 * unit)) & ~1 || 2;
  const rows = repeats(height, Math.max(4, 8.6 * unit)) & ~1 || 2;
  const [tw, th] = [width / columns, height / rows];
  // The first thread is cut in half by the edge, so that no seam falls between two threads.
  const threadAt = (n: number, thickness: number, count: number) => Math.floor(n / thickness + 0.5) % count;
  const crossing = (x: number, y: number) => (threadAt(y, th, rows) * columns + threadAt(x, tw, columns)) * 4;
  const sums = new Float32Array(columns * rows * 4);
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p += 3) {
      const o = crossing(x, y);
      for (let c = 0; c < 3; c++) sums[o + c] = sums[o + c]! + rgb[p + c]!;
      sums[o + 3] = sums[o + 3]! + 1;
    }
  const fibre = { across: (columns * 3) / width, down: (rows * 3) / height, period: [columns * 3, rows * 3] as const };
  const fibres = waves(canvas, 1, { ...fibre, seed, octaves: 1 });
  const bases = [0.2, 0.3].map((t) => blend(tones[0]!, tones[3]!, t));
  each(canvas, (_r, _g, _b, x, y, i) => {
    const [u, v] = [wrap(x / tw + 0.5, 1) - 0.5, wrap(y / th + 0.5, 1) - 0.5];
    const over = (threadAt(x, tw, columns) + threadAt(y, th, rows)) % 2 === 0;
    // The upper thread bulges in the middle of its length, and is round across.
    const [along, across] = over ? [v, u] : [u, v];
    const round = Math.sqrt(Math.max(0, 1 - across * across * 3.68));
    const bulge = Math.sqrt(Math.cos(along * Math.PI));
    const twist = Math.sin((over ? y / th + u * 1.1 : x / tw + v * 1.1) * Math.PI * 4) * 0.06;
    const k = clamp(0.34 + 0.72 * round * (0.62 + 0.38 * bulge) + twist + (fibres[i]! - 0.5) * 0.2, 0, 1.2);
    const o = crossing(x, y);
    const [r, g, b] = bases[over ? 1 : 0]!;
    const mean = (c: number, base: number) => ((sums[o + c]! / sums[o + 3]!) * 0.95 + base * 0.05) * k;
    return [mean(0, r), mean(1, g), mean(2, b)];
  });
}
