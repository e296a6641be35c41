/** The style infiny-flow: draws a photograph's colours along currents that join at the edges, like marbled paper. */
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';
import { fbm } from '../../sketch/noise.ts';
import { lay, repeats } from '../../sketch/tile/wrap.ts';
import { namedMotifs, type Tile } from './tile.ts';

/** Cells of the grid of currents in each direction. */
const grid = 128;
/** Number of steps along a current, and of the last places whose colours are mixed. */
const [steps, mixed] = [16, 6];

export const flow: Tile = async (canvas, _photo, brief, random) => {
  const { width, height, unit } = canvas;
  const size = random.between(280, 420) * unit;
  const banks = banksOf(repeats(width, size), repeats(height, size), random.fork());
  const { across, down } = currents(banks);
  const stride = random.between(5, 7) * unit;
  const [gx, gy] = [grid / width, grid / height];
  const source = canvas.rgb.slice();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [sx, sy, r, g, b] = [x, y, 0, 0, 0];
      for (let s = 0; s < steps; s++) {
        const dx = between(across, sx * gx, sy * gy);
        sy += between(down, sx * gx, sy * gy) * stride;
        sx += dx * stride;
        if (s < steps - mixed) continue;
        const p = (wrap(Math.round(sy), height) * width + wrap(Math.round(sx), width)) * 3;
        r += source[p]!;
        g += source[p + 1]!;
        b += source[p + 2]!;
      }
      const level = between(banks, x * gx, y * gy) * 13;
      const vein = 1 + 0.14 * smoothstep(0.07, 0, Math.abs(level - Math.floor(level) - 0.5));
      const p = (y * width + x) * 3;
      canvas.rgb[p] = ((r / mixed) * 1.12 - 0.06) * vein;
      canvas.rgb[p + 1] = ((g / mixed) * 1.12 - 0.06) * vein;
      canvas.rgb[p + 2] = ((b / mixed) * 1.12 - 0.06) * vein;
    }
  const set = await namedMotifs(brief, random, 170 * unit);
  const count = set.length === 0 ? 0 : 3;
  for (let j = 0; j < count; j++)
    for (let i = 0; i < count; i++) {
      const [u, v] = [(i + 0.5 + random.between(-0.2, 0.2)) / count, (j + 0.5 + random.between(-0.2, 0.2)) / count];
      const turn = clamp((between(banks, u * grid, v * grid) - 0.5) * 4, -0.6, 0.6);
      lay(canvas, set[(i + j) % set.length]!, u * width, v * height, turn, random.between(0.7, 1));
    }
};

/** Returns heights; the currents follow their contours. */
function banksOf(px: number, py: number, seed: number): Float32Array {
  const out = new Float32Array(grid * grid);
  for (let j = 0; j < grid; j++)
    for (let i = 0; i < grid; i++) out[j * grid + i] = fbm((i / grid) * px, (j / grid) * py, seed, 3, px, py);
  return out;
}

/** Returns directions along the contours of the heights, so that currents never meet. */
function currents(banks: Float32Array): { across: Float32Array; down: Float32Array } {
  const [across, down] = [new Float32Array(grid * grid), new Float32Array(grid * grid)];
  const at = (i: number, j: number): number => banks[wrap(j, grid) * grid + wrap(i, grid)]!;
  for (let j = 0; j < grid; j++)
    for (let i = 0; i < grid; i++) {
      const [dx, dy] = [at(i, j + 1) - at(i, j - 1), at(i - 1, j) - at(i + 1, j)];
      const length = Math.max(0.012, Math.hypot(dx, dy));
      across[j * grid + i] = dx / length;
      down[j * grid + i] = dy / length;
    }
  return { across, down };
}

/** Interpolates between the cells of a grid whose edges join. */
function between(values: Float32Array, x: number, y: number): number {
  const [fx, fy] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - fx, y - fy];
  // The grid's side is a power of two, so a bit mask wraps positions.
  const [x0, y0] = [fx & (grid - 1), (fy & (grid - 1)) * grid];
  const [x1, y1] = [(fx + 1) & (grid - 1), ((fy + 1) & (grid - 1)) * grid];
  const upper = values[y0 + x0]! * (1 - u) + values[y0 + x1]! * u;
  const lower = values[y1 + x0]! * (1 - u) + values[y1 + x1]! * u;
  return upper * (1 - v) + lower * v;
}
