/** Ridges: mountains, hills and dunes in layers that pale with distance. */
import { each } from '../canvas.ts';
import { blend, type Colour } from '../colour.ts';
import { fbm, noise, ridged, waves } from '../noise.ts';
import { hiddenFrom, lit, type Stage } from './stage.ts';
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

/** Returns how high the crest rises at a place, 0–1 or so. */
function crestAt(kind: Ridge['kind'], u: number, seed: number): number {
  if (kind === 'hill') return fbm(u * 0.8, 2.2, seed, 3) * 1.25 - 0.15;
  if (kind === 'dune')
    return 1 - Math.abs(noise(u, 1.5, seed) * 2 - 1) ** 0.8 + noise(u * 0.5, 5, seed + 2) * 0.4 - 0.3;
  const peaks = Math.max(ridged(u, 3.7, seed, 5), ridged(u * 1.3 + 13.7, 9.2, seed + 5, 4) * 0.86);
  return peaks * 0.72 + fbm(u * 0.6, 8, seed + 9, 2) * 0.5 + (fbm(u * 7, 4, seed + 6, 4) - 0.5) * 0.24 - 0.22;
}

/** Light, form and mist of each kind. */
const forms = {
  mountain: { relief: 10.8, flat: 1, octaves: 5, shift: 2.2, steep: 1.25, rough: 0.9 },
  hill: { relief: 4.8, flat: 4 / 4.8, octaves: 3, shift: 1.2, steep: 2, rough: 0.6 },
  dune: { relief: 4.8, flat: 20 / 4.8, octaves: 3, shift: 1.2, steep: 2.56, rough: 0.6 },
} as const;

/** Paints one layer down to where water or ground covers it. */
export function paintRidge(stage: Stage, ridge: Ridge): void {
  const { canvas, light, side } = stage;
  const { width, height, plane } = canvas;
  const seed = stage.random.stream(ridge.name).fork();
  const form = forms[ridge.kind];
  const mountain = ridge.kind === 'mountain';
  const spread = ridge.frequency * Math.max(1, width / height);
  const line = new Float32Array(width);
  for (let x = 0; x < width; x++)
    line[x] = (ridge.base - ridge.rise * crestAt(ridge.kind, (x / width) * spread, seed)) * height;
  const top = Math.min(...line);
  const first = Math.max(0, Math.floor(top) - 1);
  const last = hiddenFrom(stage);
  if (last <= first) return;
  const across = form.relief / Math.max(width, height);
  const noised = { across, down: (mountain ? 9 : form.flat * 4.8) / Math.max(width, height), seed: seed + 31 };
  const size = { width, height: last };
  const relief = waves(size, Math.max(3, Math.round(4 * canvas.unit)), { ...noised, octaves: form.octaves });
  const haze = ridge.distance ** 1.3 * 0.88;
  const bright = lit(ridge.colour, light);
  const dark = blend(bright, light.shadow, 0.62);
  const white = lit([0.97, 0.98, 1], light);
  const whiteShade = blend(white, light.shadow, 0.42);
  const reach = Math.max(6, Math.round(9 * canvas.unit));
  const span = ridge.rise * height;
  const bottom = (ridge.base + 0.24) * height;
  each(
    canvas,
    (r, g, b, x, y, i) => {
      const below = y - line[x]! + 0.5;
      if (below <= 0) return null;
      const n = relief[i]! - 0.5;
      const at = clamp(Math.round(x + Math.min(below, span * 0.3) * n * form.shift), reach, width - 1 - reach);
      const slope = (line[at + reach]! - line[at - reach]!) / (2 * reach);
      const k = clamp(0.5 + (slope * -side * form.steep + n * form.rough) * light.contrast);
      let c = blend(dark, bright, k);
      if (ridge.snow && mountain) {
        const limit = smoothstep(0.66, 0.42, (y - top) / (span * 1.25) + n * 0.9);
        if (limit > 0) c = blend(c, blend(whiteShade, white, smoothstep(0.3, 0.7, k)), limit);
      } else if (ridge.snow) c = blend(whiteShade, white, 0.35 + 0.65 * k);
      const mist = haze + smoothstep(span * 0.35, bottom - top, y - top) * (0.2 + 0.35 * ridge.distance);
      c = blend(c, light.haze, clamp(mist));
      plane[i] = ridge.plane;
      return below < 1 ? blend([r, g, b], c, below) : c;
    },
    first,
    last,
  );
}
