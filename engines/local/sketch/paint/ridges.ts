/** Paints mountains, hills and dunes in layers that are paler in the distance, and a mountain with a snow cap. */
import { below } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { fbm, noise, ridged, waves } from '../noise.ts';
import { hiddenFrom, lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

type Kind = 'mountain' | 'hill' | 'dune';

/** Returns the height of the crest at `u`, about 0–1. */
function crestAt(kind: Kind, u: number, seed: number): number {
  if (kind === 'hill') return fbm(u * 0.8, 2.2, seed, 3) * 1.25 - 0.15;
  if (kind === 'dune')
    return 1 - Math.abs(noise(u, 1.5, seed) * 2 - 1) ** 0.8 + noise(u * 0.5, 5, seed + 2) * 0.4 - 0.3;
  const peaks = Math.max(ridged(u, 3.7, seed, 5), ridged(u * 1.3 + 13.7, 9.2, seed + 5, 4) * 0.86);
  return peaks * 0.72 + fbm(u * 0.6, 8, seed + 9, 2) * 0.5 + (fbm(u * 7, 4, seed + 6, 4) - 0.5) * 0.24 - 0.22;
}

/** Relief of each kind: its noise across and down, how far it bends the form, and how steep and rough the form is. */
const reliefs = {
  mountain: { across: 10.8, down: 9, octaves: 5, shift: 2.2, steep: 1.25, rough: 0.9 },
  hill: { across: 4.8, down: 4, octaves: 3, shift: 1.2, steep: 2, rough: 0.6 },
  dune: { across: 4.8, down: 20, octaves: 3, shift: 1.2, steep: 2.56, rough: 0.6 },
} as const;

/**
 * Paints one layer down to the row where water or ground covers it.
 * @param base mean row of the crest; `rise` is its height above that row. Both are shares of the canvas's height
 * @param frequency features over the width
 * @param distance 0 near – 1 far
 */
export function paintRidge(
  stage: Stage,
  kind: Kind,
  [base, rise, frequency, distance]: readonly [number, number, number, number],
  code: string,
  plane: number,
  snow: boolean,
): void {
  const { canvas, light, side } = stage;
  const { width, height } = canvas;
  const seed = stage.random.stream(`ridge-${plane}`).fork();
  const { across, down, octaves, shift, steep, rough } = reliefs[kind];
  const [long, spread, span] = [Math.max(width, height), frequency * Math.max(1, width / height), rise * height];
  const line = Float32Array.from(
    { length: width },
    (_, x) => base * height - span * crestAt(kind, (x / width) * spread, seed),
  );
  const top = Math.min(...line);
  const last = hiddenFrom(stage);
  const noised = { across: across / long, down: down / long, seed: seed + 31, octaves };
  const relief = waves({ width, height: last }, Math.max(3, Math.round(4 * canvas.unit)), noised);
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
    if (snow && kind === 'mountain') {
      const limit = smoothstep(0.66, 0.42, (y - top) / (span * 1.25) + n * 0.9);
      c = blend(c, blend(whiteShade, white, smoothstep(0.3, 0.7, k)), limit);
    } else if (snow) c = blend(whiteShade, white, 0.35 + 0.65 * k);
    const depth = smoothstep(span * 0.35, (base + 0.24) * height - top, y - top);
    return blend(c, light.haze, clamp(haze + depth * (0.2 + 0.35 * distance)));
  };
  below(canvas, line, plane, paintAt, last);
}

/** Paints a single mountain like Mount Fuji: a wide concave cone with a ragged cap of snow. */
export function paintCone(stage: Stage, plane: number): void {
  const { canvas, light, horizon, side } = stage;
  const { width } = canvas;
  const random = stage.random.stream('cone');
  const seed = random.fork();
  const middle = width * (0.5 - side * random.between(0.02, 0.14));
  const tall = Math.min(horizon * 0.62, width * 0.4);
  const reach = tall * 1.75;
  const [rock, snow] = [lit(hex('#5f7398'), light), lit([0.97, 0.98, 1], light)];
  const [rockShade, snowShade] = [blend(rock, light.shadow, 0.5), blend(snow, light.shadow, 0.42)];
  const line = Float32Array.from({ length: width }, (_, x) => {
    const d = Math.abs(x - middle) / reach;
    const ragged = (fbm((x / width) * 26, 2, seed, 3) - 0.5) * 0.035;
    return horizon - tall * Math.max(0, Math.exp(-d * 2.6) - smoothstep(0.055, 0.02, d) * 0.04 - 0.05 + ragged);
  });
  const paintAt = (x: number, y: number) => {
    const level = (horizon - y) / tall;
    const off = (x - middle) / reach;
    // Gullies run down from the summit.
    const gully = fbm((off / (1.26 - 1.1 * level)) * 5 + 40, level * 1.4, seed + 3, 4) - 0.5;
    const facing = clamp(0.5 + off * side * 1.8 + gully * 1.3);
    const cap = smoothstep(0.5, 0.58, level + gully * 0.42);
    const c = blend(blend(rockShade, rock, facing), blend(snowShade, snow, facing), cap);
    return blend(c, light.haze, clamp(0.2 + 0.75 * (1 - level) ** 2.2));
  };
  below(canvas, line, plane, paintAt, hiddenFrom(stage));
}
