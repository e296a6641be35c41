/** The style infiny-weave: motifs in interlaced threads that continue across every edge. */
import { each, type Canvas } from '../canvas.ts';
import { blend, times } from '../colour.ts';
import { meansOf } from '../filters/means.ts';
import { waves } from '../noise.ts';
import { cloth, lay, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, wrap } from '../../pixels/range.ts';

export const weave: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const tones = cloth(brief, byWords);
  const seed = random.fork();
  const [across, down] = [repeats(width, 340 * unit), repeats(height, 340 * unit)];
  const [cw, ch] = [width / across, height / down];
  // Paints the design that the threads will show: bands, diamonds and motifs.
  const mottled = waves(canvas, 1, { across: 6 / width, down: 6 / height, seed, octaves: 3, period: [6, 6] });
  each(canvas, (_r, _g, _b, x, y, i) => {
    const diamond = Math.abs(((x / cw) % 1) - 0.5) + Math.abs(((y / ch) % 1) - 0.5);
    const ring = Math.abs(diamond - 0.5);
    const band = ring < 0.035 ? tones[2] : ring < 0.075 ? tones[3] : diamond < 0.5 ? tones[0] : tones[1];
    const n = mottled[i]! - 0.5;
    return blend(band, n > 0 ? tones[3] : tones[0], Math.abs(n) * 0.35);
  });
  const set = await motifs(brief, random, Math.min(cw, ch) * 0.5, byWords);
  for (let k = 0; k < across * down; k++) {
    const [i, j] = [k % across, Math.floor(k / across)];
    const [a, b] = [set[(i + j) % set.length], set[(i + j + 1) % set.length]];
    if (a) lay(canvas, a, (i + 0.5) * cw, (j + 0.5) * ch, 0, 1);
    if (b) lay(canvas, b, i * cw, j * ch, 0, 0.62);
  }
  interlace(canvas, Math.max(4, 8.6 * unit), bindings[0]!, seed + 4);
};

/** Says whether the warp is on top at a crossing. The binding repeats after four threads. */
type Binding = (column: number, row: number) => boolean;

/** Plain weave, twill and basket. */
export const bindings: readonly Binding[] = [
  (i, j) => (i + j) % 2 === 0,
  (i, j) => (i + j) % 4 < 2,
  (i, j) => ((i >> 1) + (j >> 1)) % 2 === 0,
];

/** Turns the design into threads of about `thick` pixels: each crossing has one colour and one relief. */
export function interlace(canvas: Canvas, thick: number, over: Binding, seed: number): void {
  const { width, height } = canvas;
  const [columns, rows] = [4 * repeats(width / 4, thick), 4 * repeats(height / 4, thick)];
  const [tw, th] = [width / columns, height / rows];
  // The edge cuts the first thread in half, so that the seam is not between two threads.
  const columnAt = (x: number) => Math.floor(x / tw + 0.5) % columns;
  const rowAt = (y: number) => Math.floor(y / th + 0.5) % rows;
  const crossingOf = (_: unknown, i: number) => rowAt(Math.floor(i / width)) * columns + columnAt(i % width);
  const crossing = Int32Array.from({ length: width * height }, crossingOf);
  const colour = meansOf(canvas, crossing);
  const period = [columns * 3, rows * 3] as const;
  const scale = { across: period[0] / width, down: period[1] / height };
  const fibres = waves(canvas, 1, { ...scale, seed, octaves: 1, period });
  each(canvas, (_r, _g, _b, x, y, index) => {
    const [i, j] = [columnAt(x), rowAt(y)];
    const [u, v] = [wrap(x / tw + 0.5, 1) - 0.5, wrap(y / th + 0.5, 1) - 0.5];
    const warp = over(i, j);
    // A thread has a round profile, and is darker where it goes under the next one.
    const [along, aside] = warp ? [v, u] : [u, v];
    const round = Math.sqrt(Math.max(0, 1 - aside * aside * 3.6));
    const dives = warp !== over(i + (warp ? 0 : 1), j + (warp ? 1 : 0)) ? Math.cos(along * Math.PI) : 1;
    const twist = Math.sin((warp ? y / th + u : x / tw + v) * Math.PI * 4) * 0.055;
    const k = clamp(0.45 + 0.66 * round * (0.66 + 0.34 * dives) + twist + (fibres[index]! - 0.5) * 0.18, 0, 1.22);
    const [r, g, b] = colour(crossing[index]!);
    // Warp is a little warmer than weft.
    const warm = warp ? 0.03 : -0.03;
    return times([r * (1 + warm), g, b * (1 - warm)], k);
  });
}
