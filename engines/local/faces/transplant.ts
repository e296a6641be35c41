/** Draws one face with the features of another: a patch with a soft edge, at the target's size. */
import { boxBlur } from '../pixels/blur.ts';
import { clamp, smoothstep, toByte } from '../pixels/range.ts';
import { sampled } from '../pixels/resample.ts';
import type { Raster } from '../raster.ts';
import { browLine } from './anatomy.ts';
import type { Closeup } from './closeup.ts';
import { type Fit, fit } from './fit.ts';
import { toLuma, toRgb } from './planes.ts';
import { retone, skinTone, type Tone, toneAt } from './tone.ts';

/** RGB of 0–255 for each pixel of the target, interleaved with a fourth channel. */
interface Looks {
  target: ArrayLike<number>;
  /** The source at the same place of the face. */
  here: Float32Array;
  /** The source at the same place of the face's other half. */
  there: Float32Array;
}

export function transplant(source: Closeup, target: Closeup): Raster {
  const { width, height } = target.image;
  const [from, to] = [skinTone(source.image, source.points), skinTone(target.image, target.points)];
  const fitted = fit(source, target);
  const looks = {
    target: target.image.data,
    here: sampled(source.image, fitted.x, fitted.y, width),
    there: sampled(source.image, fitted.mirroredX, fitted.mirroredY, width),
  };
  spareVeils(fitted, looks, from, to, width);
  const { turned, share, u, v } = fitted;
  const data = new Uint8Array(width * height * 4);
  const colour = () => new Float64Array(3);
  const [own, other, goal, tone] = [colour(), colour(), colour(), colour()];
  const take = (colours: Float32Array, at: number, pu: number, pv: number, out: Float64Array) => {
    lumaOf(colours, at, out);
    toneAt(from, pu, pv, tone);
    retone(out, tone, goal);
  };
  for (let at = 0; at < share.length; at++) {
    if (share[at]! <= 0) continue;
    toneAt(to, u[at]!, v[at]!, goal);
    take(looks.here, at, u[at]!, v[at]!, own);
    const mix = turned[at]!;
    if (mix > 0) {
      take(looks.there, at, 1 - u[at]!, v[at]!, other);
      for (let c = 0; c < 3; c++) own[c] = own[c]! * (1 - mix) + other[c]! * mix;
    }
    toRgb(own);
    for (let c = 0; c < 3; c++) data[at * 4 + c] = toByte(own[c]! * 255);
    data[at * 4 + 3] = Math.round(share[at]! * 255);
  }
  return { width, height, channels: 4, data };
}

function lumaOf(colours: ArrayLike<number>, at: number, out: Float64Array): void {
  for (let c = 0; c < 3; c++) out[c] = clamp(colours[at * 4 + c]! / 255);
  toLuma(out);
}

/**
 * Protects what covers the rim of a face, such as hair and hats: it is neither copied nor painted over. Changes the fit
 * in place: uses the source's other half where the source is covered, and spares covers of the target.
 */
function spareVeils(fit: Fit, { target, here, there }: Looks, from: Tone, to: Tone, width: number): void {
  const height = fit.share.length / width;
  const forehead = browLine();
  const [colour, tone] = [new Float64Array(3), new Float64Array(3)];
  const veiled = (colours: ArrayLike<number>, at: number, skin: Tone, u: number, v: number): number => {
    lumaOf(colours, at, colour);
    toneAt(skin, u, v, tone);
    const shade = Math.abs(colour[0]! - tone[0]!) / Math.max(0.2, tone[0]!);
    return smoothstep(0.25, 0.55, shade + 2.5 * Math.hypot(colour[1]! - tone[1]!, colour[2]! - tone[2]!));
  };
  const [spare, turn] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (let at = 0; at < spare.length; at++) {
    const [rim, u, v] = [fit.rim[at]!, fit.u[at]!, fit.v[at]!];
    if (rim <= 0) continue;
    const own = veiled(here, at, from, u, v);
    const other = own > 0 ? veiled(there, at, from, 1 - u, v) : 0;
    // At the temples, the ends of glasses would stay without the rest of them. Beards, further down, belong to the face.
    const over = veiled(target, at, to, u, v) * (1 - smoothstep(forehead, forehead + 0.06, v));
    spare[at] = rim * Math.max(over, Math.min(own, other) * (1 - smoothstep(0.45, 0.6, v)));
    turn[at] = rim * Math.max(0, own - other);
  }
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.01));
  const [soft, mirrored] = [boxBlur(spare, width, height, radius, 2), boxBlur(turn, width, height, radius, 2)];
  for (let at = 0; at < spare.length; at++) {
    fit.share[at]! *= 1 - Math.min(1, 1.3 * soft[at]!);
    fit.turned[at] = Math.max(fit.turned[at]!, clamp(1.3 * mirrored[at]!));
  }
}
