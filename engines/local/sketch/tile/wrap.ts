/** Draws on a picture without edges: a motif that leaves at one side comes in at the other. */
import type { Canvas } from '../canvas.ts';
import { blend, mixInto, type Colour } from '../colour.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { shade } from '../subjects/stamp.ts';
import { palettes } from '../read/vocabulary.ts';
import { rasterise } from '../subjects/sprite.ts';
import { wrap } from '../../pixels/range.ts';

export type Tile = (canvas: Canvas, brief: Brief, random: Random) => Promise<void>;

/** A motif ready to be laid down: RGBA 0–1 interleaved. */
export interface Motif {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** Lays a motif around a middle, turned and scaled, wrapped; only its shadow where a colour for one is given. */
export function lay(
  canvas: Canvas,
  motif: Motif,
  cx: number,
  cy: number,
  turn: number,
  scale: number,
  opacity = 1,
  shadow: Colour | null = null,
): void {
  const { width, height, pixels } = motif;
  const reach = Math.ceil((Math.hypot(width, height) / 2) * scale) + 1;
  const [c, s] = [Math.cos(turn) / scale, Math.sin(turn) / scale];
  const [left, top] = [Math.round(cx), Math.round(cy)];
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const u = dx * c + dy * s + width / 2 - 0.5;
      const v = -dx * s + dy * c + height / 2 - 0.5;
      const x0 = Math.floor(u);
      const y0 = Math.floor(v);
      if (x0 < -1 || y0 < -1 || x0 >= width || y0 >= height) continue;
      let [r, g, b, a] = [0, 0, 0, 0];
      for (let y = Math.max(0, y0); y <= Math.min(height - 1, y0 + 1); y++)
        for (let x = Math.max(0, x0); x <= Math.min(width - 1, x0 + 1); x++) {
          const o = (y * width + x) * 4;
          const share = (1 - Math.abs(u - x)) * (1 - Math.abs(v - y)) * pixels[o + 3]!;
          r += pixels[o]! * share;
          g += pixels[o + 1]! * share;
          b += pixels[o + 2]! * share;
          a += share;
        }
      if (a <= 0.004) continue;
      const i = wrap(top + dy, canvas.height) * canvas.width + wrap(left + dx, canvas.width);
      mixInto(canvas.rgb, i * 3, shadow ?? [r / a, g / a, b / a], a * opacity);
      if (!shadow && a > 0.5) canvas.plane[i] = 16;
    }
}

const ornaments = 'hibiscus blossom maple-leaf tulip sunflower four-leaf-clover butterfly spiral-shell'.split(' ');

/** Returns the prompt's subjects as motifs; the words choose ornaments where there is no subject. */
export async function motifs(brief: Brief, random: Random, side: number, byWords: Random): Promise<Motif[]> {
  const light = { ...lightOf('day', false), contrast: 0.7 };
  const subjects =
    brief.subjects.length > 0
      ? brief.subjects.map(({ thing: { name }, tint }) => ({ name, tint }))
      : byWords.shuffle(ornaments).map((name) => ({ name, tint: null })).slice(0, 2); // prettier-ignore
  const out: Motif[] = [];
  for (const { name, tint } of subjects.slice(0, 4)) {
    const sprite = await rasterise(name, side, random.integer(0, 4));
    if (!sprite) continue;
    const shading = { sprite, tint, flip: false, distance: 0, glows: false, side: -1, seed: random.fork() };
    out.push({ width: sprite.width, height: sprite.height, pixels: shade(shading, light) });
  }
  return out;
}

/** Returns ground, second, accent and pale tones: the brief's palette, or one that the words choose. */
export function cloth(brief: Brief, byWords: Random): readonly [Colour, Colour, Colour, Colour] {
  const p = brief.palette ?? byWords.pick(palettes);
  const black: Colour = [0, 0, 0];
  const [deep = black, middle = black, accent = black] = p;
  const pale = p.at(-1) ?? black;
  if (byWords.chance(0.5)) return [deep, blend(deep, middle, 0.8), accent, pale];
  return [pale, blend(pale, middle, 0.3), accent, middle];
}

/** Returns how many repeats of about `wanted` pixels fit exactly. */
export function repeats(size: number, wanted: number): number {
  return Math.max(1, Math.round(size / wanted));
}
