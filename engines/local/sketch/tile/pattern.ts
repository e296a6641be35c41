/** Infiny pattern: the subjects in a half-drop repeat, turned by turns, with small ornaments between. */
import { each, type Canvas } from '../canvas.ts';
import { blend, mixInto, times, type Colour } from '../colour.ts';
import { grainTexture, waves } from '../noise.ts';
import { cloth, lay, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';

export const pattern: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const [ground, second, accent, pale] = cloth(brief, byWords);
  const seed = random.fork();
  // Half drop needs an even number of columns to meet itself.
  const across = Math.max(2, repeats(width, 250 * unit) & ~1);
  const down = repeats(height, 270 * unit);
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
  const shadow = blend(ground, [0, 0, 0], 0.6);
  for (let i = 0; i < across; i++)
    for (let j = 0; j < down; j++) {
      const [cx, cy] = [(i + 0.5) * cw, (j + 0.5 + (i % 2) * 0.5) * ch];
      const motif = set[(i + j * (set.length > 1 ? 1 : 0)) % set.length];
      const turn = (i % 2 === 0 ? 1 : -1) * 0.22 + random.between(-0.04, 0.04);
      // Small ornaments sit in the gaps above and below each motif.
      const gap = cy + ch * 0.5;
      for (let k = 0; k < 5; k++) {
        const angle = k * 1.257 + i;
        petal(canvas, cx + Math.cos(angle) * 9 * unit, gap + Math.sin(angle) * 9 * unit, 6.4 * unit, accent);
      }
      petal(canvas, cx, gap, 5 * unit, pale);
      for (const side of [-1, 1]) petal(canvas, cx + side * cw * 0.3, gap + side * 6 * unit, 3.6 * unit, pale);
      if (!motif) continue;
      lay(canvas, motif, cx + 5 * unit, cy + 7 * unit, turn, 1, 0.3, shadow);
      lay(canvas, motif, cx, cy, turn, 1);
    }
  linen(canvas, seed);
};

function petal(canvas: Canvas, cx: number, cy: number, radius: number, colour: Colour): void {
  for (let y = Math.floor(cy - radius - 1); y <= cy + radius + 1; y++)
    for (let x = Math.floor(cx - radius - 1); x <= cx + radius + 1; x++) {
      const a = clamp(radius - Math.hypot(x - cx, y - cy) + 0.5);
      const p = (wrap(y, canvas.height) * canvas.width + wrap(x, canvas.width)) * 3;
      mixInto(canvas.rgb, p, colour, a * 0.92);
    }
}

/** The tooth of printed linen. Its texture repeats every 256 pixels or is stretched to meet at the edges. */
function linen(canvas: Canvas, seed: number): void {
  const grain = grainTexture(seed, 128, 2);
  const stretch = (size: number) => (Math.max(1, Math.round(size / 256)) * 256) / size;
  const [sx, sy] = [stretch(canvas.width), stretch(canvas.height)];
  each(canvas, (r, g, b, x, y) => {
    const n = grain[((Math.floor(y * sy) & 255) << 8) | (Math.floor(x * sx) & 255)]! - 0.5;
    return times([r, g, b], 1 + n * 0.2);
  });
}
