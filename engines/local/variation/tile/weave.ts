/** The style infiny-weave: each crossing of warp and weft takes the photograph's colour. */
import { clamp, wrap } from '../../pixels/range.ts';
import { noise } from '../../sketch/noise.ts';
import { lay, repeats } from '../../sketch/tile/wrap.ts';
import { namedMotifs, type Tile } from './tile.ts';

/** Whether the warp is on top at a crossing: plain weave, twill and basket. All repeat after four threads. */
const bindings: readonly ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i, j) => (i + j) % 4 < 2,
  (i, j) => ((i >> 1) + (j >> 1)) % 2 === 0,
];

export const weave: Tile = async (canvas, _photo, brief, random) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  const over = random.pick(bindings);
  const set = await namedMotifs(brief, random, 190 * unit);
  for (const [k, motif] of set.entries())
    for (const half of [0, 0.5])
      lay(canvas, motif, (0.25 + half + k * 0.13) * width, (0.3 + half) * height, 0, 1, 0.94);
  const pitch = Math.max(3.4, random.between(6.4, 8.4) * unit);
  const [columns, rows] = [4 * repeats(width / 4, pitch), 4 * repeats(height / 4, pitch)];
  const [tw, th] = [width / columns, height / rows];
  // The edge cuts the first thread in half, so that the seam is not between two threads.
  const thread = (n: number, thick: number, count: number): number => Math.floor(n / thick + 0.5) % count;
  const sums = new Float32Array(columns * rows * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const o = (thread(y, th, rows) * columns + thread(x, tw, columns)) * 4;
      const p = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) sums[o + c]! += canvas.rgb[p + c]!;
      sums[o + 3]!++;
    }
  for (let y = 0; y < height; y++) {
    const j = thread(y, th, rows);
    const v = wrap(y / th + 0.5, 1) - 0.5;
    for (let x = 0; x < width; x++) {
      const i = thread(x, tw, columns);
      const u = wrap(x / tw + 0.5, 1) - 0.5;
      const warp = over(i, j);
      const [along, aside] = warp ? [v, u] : [u, v];
      const round = Math.sqrt(Math.max(0, 1 - (aside * 2) ** 2 * 0.9));
      // A thread that goes under the next one is darker at both ends of its crossing.
      const dives = warp !== over(i + (warp ? 0 : 1), j + (warp ? 1 : 0)) ? Math.cos(along * Math.PI) : 1;
      const twist = Math.sin((warp ? y / th + u : x / tw + v) * Math.PI * 4) * 0.05;
      const fibre = noise((x / width) * columns * 3, (y / height) * rows * 3, seed, columns * 3, rows * 3) - 0.5;
      const k = clamp(0.46 + 0.64 * round * (0.7 + 0.3 * dives) + twist + fibre * 0.16, 0, 1.25);
      const o = (j * columns + i) * 4;
      const p = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) {
        // Warp is a little warmer than weft.
        const spun = (sums[o + c]! / Math.max(1, sums[o + 3]!)) * (1 + (warp ? 0.03 : -0.03) * (1 - c));
        canvas.rgb[p + c] = (0.03 + spun * 0.97) * k;
      }
    }
  }
};
