/** Drawing on a picture without edges: what leaves at one side comes in at the other. */
import type { Canvas } from '../canvas.ts';
import { blend, mixInto, type Colour } from '../colour.ts';
import type { Light } from '../paint/light.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { shade } from '../subjects/stamp.ts';
import { palettes } from '../read/colours.ts';
import { rasterise, type Sprite } from '../subjects/sprite.ts';

export type Tile = (canvas: Canvas, brief: Brief, random: Random) => Promise<void>;

function fold(n: number, size: number): number {
  return ((n % size) + size) % size;
}

/** A motif ready to be laid down: RGBA 0–1 interleaved. */
export interface Motif {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** Lays a motif around a middle, turned and scaled, wrapped. */
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
  const reach = Math.ceil((Math.hypot(motif.width, motif.height) / 2) * scale) + 1;
  const [c, s] = [Math.cos(turn) / scale, Math.sin(turn) / scale];
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const u = dx * c + dy * s + motif.width / 2 - 0.5;
      const v = -dx * s + dy * c + motif.height / 2 - 0.5;
      const x0 = Math.floor(u);
      const y0 = Math.floor(v);
      if (x0 < -1 || y0 < -1 || x0 >= motif.width || y0 >= motif.height) continue;
      let [r, g, b, a] = [0, 0, 0, 0];
      for (let k = 0; k < 4; k++) {
        const [x, y] = [x0 + (k & 1), y0 + (k >> 1)];
        if (x < 0 || y < 0 || x >= motif.width || y >= motif.height) continue;
        const w = (k & 1 ? u - x0 : 1 - u + x0) * (k >> 1 ? v - y0 : 1 - v + y0);
        const o = (y * motif.width + x) * 4;
        const wa = w * motif.pixels[o + 3]!;
        r += motif.pixels[o]! * wa;
        g += motif.pixels[o + 1]! * wa;
        b += motif.pixels[o + 2]! * wa;
        a += wa;
      }
      if (a <= 0.004) continue;
      const i = fold(Math.round(cy) + dy, canvas.height) * canvas.width + fold(Math.round(cx) + dx, canvas.width);
      mixInto(canvas.rgb, i * 3, shadow ?? [r / a, g / a, b / a], a * opacity);
      if (!shadow && a > 0.5) canvas.plane[i] = 16;
    }
}

const ornaments = [
  'hibiscus',
  'blossom',
  'maple-leaf',
  'tulip',
  'sunflower',
  'four-leaf-clover',
  'butterfly',
  'spiral-shell',
];

/** The prompt's subjects as motifs; the words choose an ornament where there is none. */
export async function motifs(brief: Brief, random: Random, side: number, byWords: Random): Promise<Motif[]> {
  const light: Light = { ...lightOf('day', false), contrast: 0.7 };
  const subjects =
    brief.subjects.length > 0
      ? brief.subjects.map((s) => ({ name: s.thing.name, tint: s.tint }))
      : byWords
          .shuffle(ornaments)
          .slice(0, 2)
          .map((name) => ({ name, tint: null }));
  const out: Motif[] = [];
  for (const { name, tint } of subjects.slice(0, 4)) {
    const sprite: Sprite | null = await rasterise(name, side, random.integer(0, 4));
    if (!sprite) continue;
    const pixels = shade(
      {
        sprite,
        x: 0,
        y: 0,
        flip: false,
        distance: 0,
        tint,
        glows: false,
        plane: 16,
        side: -1,
        seed: random.fork(),
        sunk: 0,
      },
      light,
    );
    out.push({ width: sprite.width, height: sprite.height, pixels });
  }
  return out;
}

/** Ground, second, accent and pale tones for cloth and paper: the brief's palette, or one that the words choose. */
export function cloth(brief: Brief, byWords: Random): readonly [Colour, Colour, Colour, Colour] {
  const p = brief.palette ?? byWords.pick(palettes);
  const black: Colour = [0, 0, 0];
  const [deep, middle, accent, pale] = [p[0] ?? black, p[1] ?? black, p[2] ?? black, p[p.length - 1] ?? black];
  if (byWords.chance(0.5)) return [deep, blend(deep, middle, 0.8), accent, pale];
  return [pale, blend(pale, middle, 0.3), accent, middle];
}

/** How many repeats of about `wanted` pixels fit exactly. */
export function repeats(size: number, wanted: number): number {
  return Math.max(1, Math.round(size / wanted));
}
