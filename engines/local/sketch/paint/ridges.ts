/** Ridges: mountains, hills and dunes in layers that pale with distance. */
import { blend, mixInto, type Colour } from '../colour.ts';
import { fbm, field, noise, ridged } from '../noise.ts';
import { lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export interface Ridge {
  readonly kind: 'mountain' | 'hill' | 'dune';
  /** Mean row of the crest and how far it rises above, as parts of the height. */
  readonly base: number;
  readonly rise: number;
  /** Features over the width. */
  readonly frequency: number;
  /** 0 near – 1 far. */
  readonly distance: number;
  readonly colour: Colour;
  readonly snow: boolean;
  readonly plane: number;
  readonly name: string;
}

function crest(stage: Stage, ridge: Ridge, seed: number): Float32Array {
  const { width, height } = stage.canvas;
  const line = new Float32Array(width);
  const wide = Math.max(1, width / height);
  for (let x = 0; x < width; x++) {
    const u = (x / width) * ridge.frequency * wide;
    let h: number;
    if (ridge.kind === 'mountain') {
      const peaks = Math.max(ridged(u, 3.7, seed, 5), ridged(u * 1.3 + 13.7, 9.2, seed + 5, 4) * 0.86);
      h = peaks * 0.72 + fbm(u * 0.6, 8, seed + 9, 2) * 0.5 + (fbm(u * 7, 4, seed + 6, 4) - 0.5) * 0.24 - 0.22;
    } else if (ridge.kind === 'dune') {
      const n = noise(u, 1.5, seed);
      h = 1 - Math.abs(n * 2 - 1) ** 0.8 + noise(u * 0.5, 5, seed + 2) * 0.4 - 0.3;
    } else h = fbm(u * 0.8, 2.2, seed, 3) * 1.25 - 0.15;
    line[x] = (ridge.base - ridge.rise * h) * height;
  }
  return line;
}

/** Paints one layer down to the bottom (nearer layers cover it) and returns its crest. */
export function paintRidge(stage: Stage, ridge: Ridge): Float32Array {
  const { canvas, light, side } = stage;
  const { width, height, rgb, plane } = canvas;
  const seed = stage.random.stream(ridge.name).fork();
  const line = crest(stage, ridge, seed);
  const mountain = ridge.kind === 'mountain';
  const dune = ridge.kind === 'dune';
  const f = (mountain ? 9 : 4) / Math.max(width, height);
  const relief = field(width, height, Math.max(3, Math.round(4 * canvas.unit)), (x, y) =>
    fbm(x * f * 1.2, y * f * (dune ? 5 : 1), seed + 31, mountain ? 5 : 3),
  );
  const haze = ridge.distance ** 1.3 * 0.88;
  const bright = lit(ridge.colour, light);
  const dark = blend(lit(ridge.colour, light), light.shadow, 0.62);
  const white = lit([0.97, 0.98, 1], light);
  const whiteShade = blend(white, light.shadow, 0.42);
  const reach = Math.max(6, Math.round(9 * canvas.unit));
  const span = ridge.rise * height;
  const bottom = (ridge.base + 0.24) * height;
  let top = height;
  for (let x = 0; x < width; x++) top = Math.min(top, line[x]!);
  for (let y = Math.max(0, Math.floor(top) - 1); y < height; y++) {
    for (let x = 0; x < width; x++) {
      const below = y - line[x]! + 0.5;
      if (below <= 0) continue;
      const i = y * width + x;
      const n = relief[i]!;
      const sx = clamp(
        Math.round(x + Math.min(below, span * 0.3) * (n - 0.5) * (mountain ? 2.2 : 1.2)),
        reach,
        width - 1 - reach,
      );
      const slope = ((line[sx + reach]! - line[sx - reach]!) / (2 * reach)) * (mountain ? 1 : 1.6);
      const k = clamp(
        0.5 + (slope * -side * (dune ? 1.6 : 1.25) + (n - 0.5) * (mountain ? 0.9 : 0.6)) * light.contrast,
      );
      let c = blend(dark, bright, k);
      if (ridge.snow && mountain) {
        const limit = smoothstep(0.66, 0.42, (y - top) / (span * 1.25) + (n - 0.5) * 0.9);
        if (limit > 0) c = blend(c, blend(whiteShade, white, smoothstep(0.3, 0.7, k)), limit);
      } else if (ridge.snow) c = blend(whiteShade, white, 0.35 + 0.65 * k);
      const mist = clamp(haze + smoothstep(span * 0.35, bottom - top, y - top) * (0.2 + 0.35 * ridge.distance));
      c = blend(c, light.haze, mist);
      mixInto(rgb, i * 3, c, Math.min(1, below));
      plane[i] = ridge.plane;
    }
  }
  return line;
}
