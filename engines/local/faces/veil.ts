/** Protects what covers the rim of a face, such as hair and hats: it is neither copied nor painted over. */
import { browLine } from './anatomy.ts';
import { sampled } from '../pixels/resample.ts';
import { boxBlur } from '../pixels/blur.ts';
import type { Closeup } from './closeup.ts';
import type { Fit } from './fit.ts';
import { toLuma } from './luma.ts';
import { type Tone, toneAt } from './tone.ts';
import { smoothstep, clamp } from '../pixels/range.ts';

/** Changes a fit in place: uses the source's other half where the source is covered, and spares covers of the target. */
export function spareVeils(fit: Fit, source: Closeup, target: Closeup, from: Tone, to: Tone): void {
  const { width, height } = target.image;
  const forehead = browLine();
  const [colour, tone] = [new Float64Array(3), new Float64Array(3)];
  const veiled = (colours: ArrayLike<number>, at: number, skin: Tone, u: number, v: number): number => {
    for (let c = 0; c < 3; c++) colour[c] = clamp(colours[at * 4 + c]! / 255);
    toLuma(colour);
    toneAt(skin, u, v, tone);
    const shade = Math.abs(colour[0]! - tone[0]!) / Math.max(0.2, tone[0]!);
    return smoothstep(0.25, 0.55, shade + 2.5 * Math.hypot(colour[1]! - tone[1]!, colour[2]! - tone[2]!));
  };
  const here = sampled(source.image, fit.x, fit.y, width);
  const there = sampled(source.image, fit.mirroredX, fit.mirroredY, width);
  const [spare, turn] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (let at = 0; at < spare.length; at++) {
    const [rim, u, v] = [fit.rim[at]!, fit.u[at]!, fit.v[at]!];
    if (rim <= 0) continue;
    const over = veiled(target.image.data, at, to, u, v);
    const own = veiled(here, at, from, u, v);
    const other = own > 0 ? veiled(there, at, from, 1 - u, v) : 0;
    // Beards, further down, belong to the face. At the temples, the ends of glasses would stay without the rest of them.
    spare[at] =
      rim *
      Math.max(
        over * (1 - smoothstep(forehead, forehead + 0.06, v)),
        Math.min(own, other) * (1 - smoothstep(0.45, 0.6, v)),
      );
    turn[at] = rim * Math.max(0, own - other);
  }
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.01));
  const [soft, mirrored] = [boxBlur(spare, width, height, radius, 2), boxBlur(turn, width, height, radius, 2)];
  for (let at = 0; at < spare.length; at++) {
    fit.share[at]! *= 1 - Math.min(1, 1.3 * soft[at]!);
    fit.turned[at] = Math.max(fit.turned[at]!, clamp(1.3 * mirrored[at]!));
  }
}
