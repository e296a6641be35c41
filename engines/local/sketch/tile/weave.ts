/** The style infiny-weave: motifs in interlaced threads that continue across every edge. */
import { each, type Canvas } from '../canvas.ts';
import { blend, type Colour } from '../colour.ts';
import { waves } from '../noise.ts';
import { cloth, lay, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, wrap } from '../../pixels/range.ts';
import { stretched } from '../../pixels/resample.ts';

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
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++) {
      const [a, b] = [set[(i + j) % set.length], set[(i + j + 1) % set.length]];
      if (a) lay(canvas, a, (i + 0.5) * cw, (j + 0.5) * ch, 0, 1);
      if (b) lay(canvas, b, i * cw, j * ch, 0, 0.62);
    }
  interlace(canvas, seed + 4, tones);
};

/** Turns the design into warp and weft: each crossing has one colour and one relief. */
function interlace(canvas: Canvas, seed: number, tones: readonly Colour[]): void {
  const { width, height, unit } = canvas;
  const [columns, rows] = [
    2 * repeats(width / 2, Math.max(4, 8.6 * unit)),
    2 * repeats(height / 2, Math.max(4, 8.6 * unit)),
  ];
  const [tw, th] = [width / columns, height / rows];
  const colours = stretched(canvas.rgb, 3, canvas, { width: columns, height: rows }, 'area');
  const fibre = { across: (columns * 3) / width, down: (rows * 3) / height, period: [columns * 3, rows * 3] as const };
  const fibres = waves(canvas, 1, { ...fibre, seed, octaves: 1 });
  const bases = [0.2, 0.3].map((t) => blend(tones[0]!, tones[3]!, t));
  each(canvas, (_r, _g, _b, x, y, i) => {
    // The edge cuts the first thread in half, so that the seam is not between two threads.
    const [column, row] = [Math.floor(x / tw + 0.5) % columns, Math.floor(y / th + 0.5) % rows];
    const [u, v] = [wrap(x / tw + 0.5, 1) - 0.5, wrap(y / th + 0.5, 1) - 0.5];
    const over = (column + row) % 2 === 0;
    // The upper thread bulges in the middle of the crossing and has a round profile.
    const [along, across] = over ? [v, u] : [u, v];
    const round = Math.sqrt(Math.max(0, 1 - across * across * 3.68));
    const bulge = Math.sqrt(Math.cos(along * Math.PI));
    const twist = Math.sin((over ? y / th + u * 1.1 : x / tw + v * 1.1) * Math.PI * 4) * 0.06;
    const k = clamp(0.34 + 0.72 * round * (0.62 + 0.38 * bulge) + twist + (fibres[i]! - 0.5) * 0.2, 0, 1.2);
    const p = (row * columns + column) * 3;
    const [r, g, b] = blend([colours[p]!, colours[p + 1]!, colours[p + 2]!], bases[over ? 1 : 0]!, 0.05);
    return [r * k, g * k, b * k];
  });
}
