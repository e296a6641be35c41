/** The style infiny-flow: draws a photograph's colours along currents that join at the edges, like marbled paper. */
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';
import { each } from '../../sketch/canvas.ts';
import { grainAt, waves } from '../../sketch/noise.ts';
import { lay, motifs, repeats, type Tile } from '../../sketch/tile/wrap.ts';

/** Cells of the grid of currents in each direction; `grainAt` requires 256. */
const grid = 256;
/** Number of steps along a current, and number of last steps whose colours are mixed. */
const [steps, mixed] = [16, 6];

export const flow: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const size = random.between(280, 420) * unit;
  const [px, py] = [repeats(width, size), repeats(height, size)];
  const period = [px, py] as const;
  const waving = { across: px / grid, down: py / grid, seed: random.fork(), octaves: 3, period };
  // The currents follow the contours of these heights, so that they never meet.
  const heights = waves({ width: grid, height: grid }, 1, waving);
  const at = (i: number, j: number) => heights[wrap(j, grid) * grid + wrap(i, grid)]!;
  const [across, down] = [new Float32Array(grid * grid), new Float32Array(grid * grid)];
  for (let j = 0, k = 0; j < grid; j++)
    for (let i = 0; i < grid; i++, k++) {
      const [dx, dy] = [at(i, j + 1) - at(i, j - 1), at(i - 1, j) - at(i + 1, j)];
      const length = Math.max(0.006, Math.hypot(dx, dy));
      [across[k], down[k]] = [dx / length, dy / length];
    }
  const stride = random.between(5, 7) * unit;
  const [gx, gy] = [grid / width, grid / height];
  const source = canvas.rgb.slice();
  each(canvas, (_r, _g, _b, x, y) => {
    let [sx, sy, r, g, b] = [x, y, 0, 0, 0];
    for (let s = 0; s < steps; s++) {
      const dx = grainAt(across, sx * gx, sy * gy);
      sy += grainAt(down, sx * gx, sy * gy) * stride;
      sx += dx * stride;
      if (s < steps - mixed) continue;
      const p = (wrap(Math.round(sy), height) * width + wrap(Math.round(sx), width)) * 3;
      r += source[p]!;
      g += source[p + 1]!;
      b += source[p + 2]!;
    }
    const level = grainAt(heights, x * gx, y * gy) * 13;
    const vein = 1 + 0.14 * smoothstep(0.07, 0, Math.abs(level - Math.floor(level) - 0.5));
    const contrasted = (sum: number) => ((sum / mixed) * 1.12 - 0.06) * vein;
    return [contrasted(r), contrasted(g), contrasted(b)];
  });
  const set = await motifs(brief, random, 170 * unit);
  const count = set.length === 0 ? 0 : 3;
  for (let j = 0; j < count; j++)
    for (let i = 0; i < count; i++) {
      const [u, v] = [(i + 0.5 + random.between(-0.2, 0.2)) / count, (j + 0.5 + random.between(-0.2, 0.2)) / count];
      const turn = clamp((grainAt(heights, u * grid, v * grid) - 0.5) * 4, -0.6, 0.6);
      lay(canvas, set[(i + j) % set.length]!, u * width, v * height, turn, random.between(0.7, 1));
    }
};
