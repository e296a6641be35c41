/** The style infiny-pattern: the subjects in a half-drop repeat, with small ornaments between them. */
import { each } from '../canvas.ts';
import { blend, times } from '../colour.ts';
import { waves } from '../noise.ts';
import { cloth, layRaised, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';

export const pattern: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const [ground, second, accent, pale] = cloth(brief, byWords);
  const seed = random.fork();
  // A half-drop repeat needs an even number of columns to join at the edges.
  const [across, down] = [2 * repeats(width / 2, 250 * unit), repeats(height, 270 * unit)];
  const [cw, ch] = [width / across, height / down];
  const frame = random.integer(0, 2);
  const mottled = waves(canvas, 1, { across: 8 / width, down: 8 / height, seed, octaves: 3, period: [8, 8] });
  each(canvas, (_r, _g, _b, x, y, i) => {
    const column = Math.floor(x / cw);
    const u = x / cw - column - 0.5;
    const v = wrap(y / ch + (column % 2) * 0.5, 1) - 0.5;
    const d = Math.sqrt((u * cw) ** 2 + (v * ch) ** 2) / Math.min(cw, ch);
    const c = blend(ground, second, clamp(0.28 + (mottled[i]! - 0.5) * 1.1));
    const drawn = () => {
      if (frame === 0) return blend(c, second, smoothstep(0.47, 0.455, d) * 0.75);
      if (frame === 1) return blend(c, accent, smoothstep(0.014, 0.006, Math.abs(d - 0.46)) * 0.8);
      return blend(c, second, smoothstep(0.03, 0, Math.abs(Math.abs(u) + Math.abs(v) - 0.5) - 0.018) * 0.8);
    };
    // Small ornaments fill the gaps above and below each motif: a flower with a dot on either side.
    const [dx, dy] = [(u * cw) / unit, ((v < 0 ? v + 0.5 : v - 0.5) * ch) / unit];
    const petals = 11 + 4 * Math.cos(5 * Math.atan2(dy, dx) + column);
    const flower = blend(drawn(), accent, clamp((petals - Math.hypot(dx, dy)) * unit + 0.5) * 0.92);
    const dots = Math.min(Math.hypot(dx, dy) - 5, Math.hypot(Math.abs(dx) - (0.3 * cw) / unit, dy) - 3.6);
    return blend(flower, pale, clamp(0.5 - dots * unit) * 0.92);
  });
  const set = await motifs(brief, random, Math.min(cw, ch) * 0.66, byWords);
  for (let i = 0; i < across; i++)
    for (let j = 0; j < down; j++) {
      const [cx, cy] = [(i + 0.5) * cw, (j + 0.5 + (i % 2) * 0.5) * ch];
      const motif = set[(i + j * (set.length > 1 ? 1 : 0)) % set.length];
      const turn = (i % 2 === 0 ? 1 : -1) * 0.22 + random.between(-0.04, 0.04);
      if (motif) layRaised(canvas, motif, [cx, cy], turn, 1, ground);
    }
  // Adds a texture of linen.
  const period = [128 * repeats(width, 256), 128 * repeats(height, 256)] as const;
  const threads = { across: period[0] / width, down: period[1] / height, period };
  const linen = waves(canvas, 1, { ...threads, seed, octaves: 2 });
  each(canvas, (r, g, b, _x, _y, i) => times([r, g, b], 0.9 + linen[i]! * 0.2));
};
