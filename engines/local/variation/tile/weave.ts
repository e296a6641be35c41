/** The style infiny-weave: each crossing of warp and weft takes the photograph's colour. */
import { clamp, wrap } from '../../pixels/range.ts';
import { each } from '../../sketch/canvas.ts';
import { times } from '../../sketch/colour.ts';
import { meansOf } from '../../sketch/filters/means.ts';
import { waves } from '../../sketch/noise.ts';
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
  const [thickX, thickY] = [width / columns, height / rows];
  // The edge cuts the first thread in half, so that the seam is not between two threads.
  const column = (x: number) => Math.floor(x / thickX + 0.5) % columns;
  const row = (y: number) => Math.floor(y / thickY + 0.5) % rows;
  const crossing = new Int32Array(width * height).map(
    (_, i) => row(Math.floor(i / width)) * columns + column(i % width),
  );
  const colour = meansOf(canvas, crossing);
  const period = [columns * 3, rows * 3] as const;
  const scale = { across: period[0] / width, down: period[1] / height };
  const fibres = waves(canvas, 1, { ...scale, seed, octaves: 1, period });
  each(canvas, (_r, _g, _b, x, y, index) => {
    const [i, j] = [column(x), row(y)];
    const [u, v] = [wrap(x / thickX + 0.5, 1) - 0.5, wrap(y / thickY + 0.5, 1) - 0.5];
    const warp = over(i, j);
    const [along, aside] = warp ? [v, u] : [u, v];
    const round = Math.sqrt(Math.max(0, 1 - (aside * 2) ** 2 * 0.9));
    // A thread that goes under the next one is darker at both ends of its crossing.
    const dives = warp !== over(i + (warp ? 0 : 1), j + (warp ? 1 : 0)) ? Math.cos(along * Math.PI) : 1;
    const twist = Math.sin((warp ? y / thickY + u : x / thickX + v) * Math.PI * 4) * 0.05;
    const k = clamp(0.46 + 0.64 * round * (0.7 + 0.3 * dives) + twist + (fibres[index]! - 0.5) * 0.16, 0, 1.25);
    const [r, g, b] = colour(crossing[index]!);
    // Warp is a little warmer than weft.
    const warm = warp ? 0.03 : -0.03;
    return times([0.03 + 0.97 * r * (1 + warm), 0.03 + 0.97 * g, 0.03 + 0.97 * b * (1 - warm)], k);
  });
};
