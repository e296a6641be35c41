/** Paints mountains, hills and dunes in layers that are paler in the distance. */
import { below } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { fbm, noise, ridged, waves } from '../noise.ts';
import { hiddenFrom, lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

/** Returns the height of the crest at `u`, about 0–1. */
type Crest = (u: number, seed: number) => number;

const peaks: Crest = (u, seed) => {
  const sharp = Math.max(ridged(u, 3.7, seed, 5), ridged(u * 1.3 + 13.7, 9.2, seed + 5, 4) * 0.86);
  return sharp * 0.72 + fbm(u * 0.6, 8, seed + 9, 2) * 0.5 + (fbm(u * 7, 4, seed + 6, 4) - 0.5) * 0.24 - 0.22;
};
const hills: Crest = (u, seed) => fbm(u * 0.8, 2.2, seed, 3) * 1.25 - 0.15;
const dunes: Crest = (u, seed) =>
  1 - Math.abs(noise(u, 1.5, seed) * 2 - 1) ** 0.8 + noise(u * 0.5, 5, seed + 2) * 0.4 - 0.3;
/** A single mountain like Mount Fuji, with a flat summit. */
const cone: Crest = (u, seed) => {
  const d = Math.abs(u - (seed % 2 === 0 ? 0.7 : 0.9));
  const ragged = (fbm(u * 15, 2, seed, 3) - 0.5) * 0.035;
  return Math.max(0, Math.exp(-d * 2.6) - smoothstep(0.09, 0.03, d) * 0.09 - 0.05 + ragged);
};

/** Crest and relief of each kind. `shift` bends the form; snow covers the upper `cap`, or everything if `cap` is 0. */
const kinds = {
  mountain: { crest: peaks, across: 10.8, down: 9, octaves: 5, shift: 2.2, steep: 1.25, rough: 0.9, cap: 1.25 },
  cone: { crest: cone, across: 24, down: 4.5, octaves: 4, shift: 0.3, steep: 0.7, rough: 0.8, cap: 0.75 },
  hill: { crest: hills, across: 4.8, down: 4, octaves: 3, shift: 1.2, steep: 2, rough: 0.6, cap: 0 },
  dune: { crest: dunes, across: 4.8, down: 20, octaves: 3, shift: 1.2, steep: 2.56, rough: 0.6, cap: 0 },
} as const;

type Kind = keyof typeof kinds;

/** `base` and `rise` are shares of the height, `frequency` is features over the width, `distance` is 0 near – 1 far. */
type Layer = readonly [base: number, rise: number, frequency: number, distance: number];

/** Paints one layer, which water or ground covers below. */
export function paintRidge(stage: Stage, kind: Kind, layer: Layer, code: string, plane: number, snow: boolean): void {
  const [base, rise, frequency, distance] = layer;
  const { canvas, light, side } = stage;
  const { width, height } = canvas;
  const seed = stage.random.stream(`ridge-${plane}`).fork();
  const { crest, across, down, octaves, shift, steep, rough, cap } = kinds[kind];
  const [long, spread, span] = [Math.max(width, height), frequency * Math.max(1, width / height), rise * height];
  const crestAt = (x: number) => base * height - span * crest((x / width) * spread, seed);
  const line = Float32Array.from({ length: width }, (_, x) => crestAt(x));
  const top = Math.min(...line);
  const noised = { across: across / long, down: down / long, seed: seed + 31, octaves };
  const bottom = hiddenFrom(stage);
  const relief = waves({ width, height: bottom }, Math.max(3, Math.round(4 * canvas.unit)), noised);
  const haze = distance ** 1.3 * 0.88;
  const [bright, white] = [lit(hex(code), light), lit([0.97, 0.98, 1], light)];
  const [dark, whiteShade] = [blend(bright, light.shadow, 0.62), blend(white, light.shadow, 0.42)];
  const reach = Math.max(6, Math.round(9 * canvas.unit));
  const paintAt = (x: number, y: number, i: number) => {
    const n = relief[i]! - 0.5;
    const bent = x + Math.min(y - line[x]!, span * 0.3) * n * shift;
    const at = clamp(Math.round(bent), reach, width - 1 - reach);
    const slope = (line[at + reach]! - line[at - reach]!) / (2 * reach);
    const k = clamp(0.5 + (slope * -side * steep + n * rough) * light.contrast);
    let c = blend(dark, bright, k);
    if (snow && cap > 0) {
      const cover = smoothstep(0.66, 0.42, (y - top) / (span * cap) + n * 0.9);
      c = blend(c, blend(whiteShade, white, smoothstep(0.3, 0.7, k)), cover);
    } else if (snow) c = blend(whiteShade, white, 0.35 + 0.65 * k);
    const depth = smoothstep(span * 0.35, (base + 0.24) * height - top, y - top);
    return blend(c, light.haze, clamp(haze + depth * (0.2 + 0.35 * distance)));
  };
  below(canvas, line, plane, paintAt, bottom);
}
