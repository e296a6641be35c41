/** Draws on a seamless picture: a motif that crosses one edge continues at the opposite edge. */
import type { Canvas } from '../canvas.ts';
import { blend, mixInto, type Colour } from '../colour.ts';
import { lightOf } from '../paint/light.ts';
import type { Random } from '../random.ts';
import type { Brief } from '../read/brief.ts';
import { shade } from '../subjects/stamp.ts';
import { palettes } from '../read/vocabulary.ts';
import { rasterise } from '../subjects/drawings.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import { wrap } from '../../pixels/range.ts';

/** Paints a seamless picture in one style. */
export type Tile = (canvas: Canvas, brief: Brief, random: Random) => Promise<void>;

/** A lit drawing. Its pixels are interleaved RGBA of 0–1, with colours multiplied by alpha. */
export interface Motif {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** Draws a motif around (`cx`, `cy`), turned by `turn` radians and scaled. A `shadow` colour draws only its shadow. */
export function lay(
  canvas: Canvas,
  { width, height, pixels }: Motif,
  cx: number,
  cy: number,
  turn: number,
  scale: number,
  opacity = 1,
  shadow: Colour | null = null,
): void {
  const reach = Math.ceil((Math.hypot(width, height) / 2) * scale) + 1;
  const side = 2 * reach + 1;
  const [c, s] = [Math.cos(turn) / scale, Math.sin(turn) / scale];
  const turned = inOpenCv(({ cv, floats, empty }) => {
    const places = [c, s, (width - 1) / 2 - reach * (c + s), -s, c, (height - 1) / 2 - reach * (c - s)];
    const [from, to, size] = [floats(pixels, width, height, 4), empty(), new cv.Size(side, side)];
    cv.warpAffine(from, to, floats(places, 3, 2), size, cv.INTER_LINEAR | cv.WARP_INVERSE_MAP, cv.BORDER_CONSTANT);
    return to.data32F.slice();
  });
  for (let k = 0, o = 0; o < turned.length; k++, o += 4) {
    const a = turned[o + 3]!;
    if (a <= 0.004) continue;
    const x = wrap(Math.round(cx) + (k % side) - reach, canvas.width);
    const i = wrap(Math.round(cy) + Math.floor(k / side) - reach, canvas.height) * canvas.width + x;
    mixInto(canvas.rgb, i * 3, shadow ?? [turned[o]! / a, turned[o + 1]! / a, turned[o + 2]! / a], a * opacity);
    if (!shadow && a > 0.5) canvas.plane[i] = 16;
  }
}

type Point = readonly [x: number, y: number];

/** Draws a motif and its shadow. */
export function layRaised(canvas: Canvas, motif: Motif, [cx, cy]: Point, turn: number, scale: number, ground: Colour) {
  lay(canvas, motif, cx + 5 * canvas.unit, cy + 7 * canvas.unit, turn, scale, 0.3, blend(ground, [0, 0, 0], 0.6));
  lay(canvas, motif, cx, cy, turn, scale);
}

const ornaments = 'hibiscus blossom maple-leaf tulip sunflower four-leaf-clover butterfly spiral-shell'.split(' ');

/** Returns the prompt's subjects as motifs. Without a subject, `byWords`, if given, chooses ornaments. */
export async function motifs(brief: Brief, random: Random, side: number, byWords?: Random): Promise<Motif[]> {
  const light = { ...lightOf('day', false), contrast: 0.7 };
  const named = brief.subjects.slice(0, 4).map(({ thing: { name }, tint }) => ({ name, tint }));
  const chosen = byWords?.shuffle(ornaments).slice(0, 2) ?? [];
  const out: Motif[] = [];
  for (const { name, tint } of named.length > 0 ? named : chosen.map((name) => ({ name, tint: null }))) {
    const sprite = await rasterise(name, side, random.integer(0, 4));
    if (!sprite) continue;
    const shading = { sprite, tint, flip: false, distance: 0, glows: false, side: -1, seed: random.fork() };
    const pixels = shade(shading, light).map((value, p, all) => (p % 4 === 3 ? value : value * all[p | 3]!));
    out.push({ width: sprite.width, height: sprite.height, pixels });
  }
  return out;
}

/** Returns the ground, second, accent and pale colours of the brief's palette, or of one that the words choose. */
export function cloth(brief: Brief, byWords: Random): readonly [Colour, Colour, Colour, Colour] {
  const palette = brief.palette ?? byWords.pick(palettes);
  const [deep, middle, accent, pale] = [palette[0]!, palette[1]!, palette[2]!, palette.at(-1)!];
  if (byWords.chance(0.5)) return [deep, blend(deep, middle, 0.8), accent, pale];
  return [pale, blend(pale, middle, 0.3), accent, middle];
}

/** Returns the number of repeats of about `wanted` pixels that fill `size` exactly. */
export function repeats(size: number, wanted: number): number {
  return Math.max(1, Math.round(size / wanted));
}
