/** Infiny weave: motifs worked into interlaced threads, over and under, that run on beyond every edge. */
import { blend, mixInto, ramp, type Colour } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
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
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const u = (x / cw) % 1;
      const v = (y / ch) % 1;
      const diamond = Math.abs(u - 0.5) + Math.abs(v - 0.5);
      const ring = Math.abs(diamond - 0.5);
      const step = ring < 0.035 ? tones[2] : ring < 0.075 ? tones[3] : diamond < 0.5 ? tones[0] : tones[1];
      const n = fbm((x / width) * 6, (y / height) * 6, seed, 3, 6, 6) - 0.5;
      mixInto(canvas.rgb, (y * width + x) * 3, blend(step, n > 0 ? tones[3] : tones[0], Math.abs(n) * 0.35), 1);
    }
  const set = await motifs(brief, random, Math.min(cw, ch) * 0.5, byWords);
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++) {
      const a = set[(i + j) % set.length];
      const b = set[(i + j + 1) % set.length];
      if (a) lay(canvas, a, (i + 0.5) * cw, (j + 0.5) * ch, 0, 1);
      if (b) lay(canvas, b, i * cw, j * ch, 0, 0.62);
    }
  thread(canvas, seed, tones);
};

/** The thread at a pixel. The first is cut in half by the edge, so that no seam falls between two threads. */
function threadAt(n: number, thickness: number, count: number): number {
  return Math.floor(n / thickness + 0.5) % count;
}

/** Turns the cartoon into warp and weft: each crossing takes one colour and its own relief. */
function thread(canvas: Parameters<Tile>[0], seed: number, tones: readonly Colour[]): void {
  const { width, height, unit } = canvas;
  const columns = repeats(width, Math.max(4, 8.6 * unit)) & ~1 || 2;
  const rows = repeats(height, Math.max(4, 8.6 * unit)) & ~1 || 2;
  const [tw, th] = [width / columns, height / rows];
  const source = canvas.rgb;
  const mean = new Float32Array(columns * rows * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const o = (threadAt(y, th, rows) * columns + threadAt(x, tw, columns)) * 4;
      const p = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) mean[o + c] = mean[o + c]! + source[p + c]!;
      mean[o + 3] = mean[o + 3]! + 1;
    }
  const out = new Float32Array(source.length);
  for (let y = 0; y < height; y++) {
    const j = threadAt(y, th, rows);
    const v = wrap(y / th + 0.5, 1) - 0.5;
    for (let x = 0; x < width; x++) {
      const i = threadAt(x, tw, columns);
      const u = wrap(x / tw + 0.5, 1) - 0.5;
      const over = (i + j) % 2 === 0;
      // Along the upper thread it bulges in the middle; across it is round.
      const [along, acrossThread] = over ? [v, u] : [u, v];
      const round = Math.sqrt(Math.max(0, 1 - (acrossThread * 2) ** 2 * 0.92));
      const bulge = Math.cos(along * Math.PI) ** 0.5;
      const twist = Math.sin((over ? y / th + u * 1.1 : x / tw + v * 1.1) * Math.PI * 4) * 0.06;
      const fibre = noise((x / width) * columns * 3, (y / height) * rows * 3, seed + 4, columns * 3, rows * 3) - 0.5;
      const o = (j * columns + i) * 4;
      const n = Math.max(1, mean[o + 3]!);
      const k = clamp(0.34 + 0.72 * round * (0.62 + 0.38 * bulge) + twist + fibre * 0.2, 0, 1.2);
      const p = (y * width + x) * 3;
      const base = ramp([tones[0]!, tones[3]!], 0.2 + (over ? 0.1 : 0));
      for (let c = 0; c < 3; c++) out[p + c] = ((mean[o + c]! / n) * 0.95 + base[c]! * 0.05) * k;
    }
  }
  canvas.rgb = out;
}
