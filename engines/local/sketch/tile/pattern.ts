/** The style infiny-pattern: the subjects in a half-drop repeat, with small ornaments between them. */
import { each, type Canvas } from '../canvas.ts';
import { blend, mixInto, times, type Colour } from '../colour.ts';
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
  const style = random.integer(0, 2);
  const mottled = waves(canvas, 1, { across: 8 / width, down: 8 / height, seed, octaves: 3, period: [8, 8] });
  each(canvas, (_r, _g, _b, x, y, i) => {
    const column = Math.floor(x / cw);
    const u = x / cw - column - 0.5;
    const v = wrap(y / ch + (column % 2) * 0.5, 1) - 0.5;
    const d = Math.sqrt((u * cw) ** 2 + (v * ch) ** 2) / Math.min(cw, ch);
    const c = blend(ground, second, clamp(0.28 + (mottled[i]! - 0.5) * 1.1));
    if (style === 0) return blend(c, second, smoothstep(0.47, 0.455, d) * 0.75);
    if (style === 1) return blend(c, accent, smoothstep(0.014, 0.006, Math.abs(d - 0.46)) * 0.8);
    return blend(c, second, smoothstep(0.03, 0, Math.abs(Math.abs(u) + Math.abs(v) - 0.5) - 0.018) * 0.8);
  });
  const set = await motifs(brief, random, Math.min(cw, ch) * 0.66, byWords);
  for (let i = 0; i < across; i++)
    for (let j = 0; j < down; j++) {
      const [cx, cy] = [(i + 0.5) * cw, (j + 0.5 + (i % 2) * 0.5) * ch];
      const motif = set[(i + j * (set.length > 1 ? 1 : 0)) % set.length];
      const turn = (i % 2 === 0 ? 1 : -1) * 0.22 + random.between(-0.04, 0.04);
      // Places small ornaments in the gaps above and below each motif.
      const gap = cy + ch * 0.5;
      for (let k = 0; k < 5; k++) {
        const angle = k * 1.257 + i;
        dot(canvas, cx + Math.cos(angle) * 9 * unit, gap + Math.sin(angle) * 9 * unit, 6.4 * unit, accent);
      }
      dot(canvas, cx, gap, 5 * unit, pale);
      for (const side of [-1, 1]) dot(canvas, cx + side * cw * 0.3, gap + side * 6 * unit, 3.6 * unit, pale);
      if (motif) layRaised(canvas, motif, [cx, cy], turn, 1, ground);
    }
  // Adds a texture of linen.
  const threads = { across: (128 * repeats(width, 256)) / width, down: (128 * repeats(height, 256)) / height };
  const period = [128 * repeats(width, 256), 128 * repeats(height, 256)] as const;
  const linen = waves(canvas, 1, { ...threads, seed, octaves: 2, period });
  each(canvas, (r, g, b, _x, _y, i) => times([r, g, b], 0.9 + linen[i]! * 0.2));
};

function dot({ width, height, rgb }: Canvas, cx: number, cy: number, radius: number, colour: Colour): void {
  for (let y = Math.floor(cy - radius - 1); y <= cy + radius + 1; y++)
    for (let x = Math.floor(cx - radius - 1); x <= cx + radius + 1; x++) {
      const cover = clamp(radius - Math.hypot(x - cx, y - cy) + 0.5);
      mixInto(rgb, (wrap(y, height) * width + wrap(x, width)) * 3, colour, cover * 0.92);
    }
}
