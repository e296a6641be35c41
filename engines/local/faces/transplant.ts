/** Draws one face with the features of another: a patch with a soft edge, at the target's size. */
import type { Raster } from '../raster.ts';
import { sampled } from '../pixels/resample.ts';
import type { Closeup } from './closeup.ts';
import { fit } from './fit.ts';
import { toLuma, toRgb } from './luma.ts';
import { skinTone } from './skin.ts';
import { retone, toneAt } from './tone.ts';
import { spareVeils } from './veil.ts';
import { clamp, toByte } from '../pixels/range.ts';

export function transplant(source: Closeup, target: Closeup): Raster {
  const { width, height } = target.image;
  const [from, to] = [skinTone(source.image, source.points), skinTone(target.image, target.points)];
  const fitted = fit(source, target);
  spareVeils(fitted, source, target, from, to);
  const { x, y, mirroredX, mirroredY, turned, share, u, v } = fitted;
  const data = new Uint8Array(width * height * 4);
  const here = sampled(source.image, x, y, width);
  const there = sampled(source.image, mirroredX, mirroredY, width);
  const colour = () => new Float64Array(3);
  const [own, other, goal, tone] = [colour(), colour(), colour(), colour()];
  const take = (colours: Float32Array, at: number, pu: number, pv: number, out: Float64Array) => {
    for (let c = 0; c < 3; c++) out[c] = clamp(colours[at * 4 + c]! / 255);
    toLuma(out);
    toneAt(from, pu, pv, tone);
    retone(out, tone, goal);
  };
  for (let at = 0; at < share.length; at++) {
    if (share[at]! <= 0) continue;
    toneAt(to, u[at]!, v[at]!, goal);
    take(here, at, u[at]!, v[at]!, own);
    const mix = turned[at]!;
    if (mix > 0) {
      take(there, at, 1 - u[at]!, v[at]!, other);
      for (let c = 0; c < 3; c++) own[c] = own[c]! * (1 - mix) + other[c]! * mix;
    }
    toRgb(own);
    for (let c = 0; c < 3; c++) data[at * 4 + c] = toByte(own[c]! * 255);
    data[at * 4 + 3] = Math.round(share[at]! * 255);
  }
  return { width, height, channels: 4, data };
}
