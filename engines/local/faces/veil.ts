/** What hangs over a face at its rim, as hair and hats do: it is neither taken along nor painted over. */
import type { Raster } from '../raster.ts';
import { browLine } from './anatomy.ts';
import { colourAt } from './bicubic.ts';
import { blur } from './blur.ts';
import type { Closeup } from './closeup.ts';
import type { Fit } from './fit.ts';
import { toLuma } from './luma.ts';
import { type Tone, toneAt } from './tone.ts';
import { smoothstep, clamp } from '../pixels/range.ts';

/** Changes a fit in place: takes from the source's other half what is covered there, and spares what covers the target. */
export function spareVeils(fit: Fit, source: Closeup, target: Closeup, from: Tone, to: Tone): void {
  const { width, height } = target.image;
  const forehead = browLine();
  const [colour, tone] = [new Float64Array(3), new Float64Array(3)];
  const veiled = (image: Raster, x: number, y: number, skin: Tone, u: number, v: number): number => {
    colourAt(image, x, y, colour);
    toLuma(colour);
    toneAt(skin, u, v, tone);
    const shade = Math.abs(colour[0]! - tone[0]!) / Math.max(0.2, tone[0]!);
    return smoothstep(0.25, 0.55, shade + 2.5 * Math.hypot(colour[1]! - tone[1]!, colour[2]! - tone[2]!));
  };
  const [spare, turn] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (let at = 0; at < spare.length; at++) {
    const [rim, u, v] = [fit.rim[at]!, fit.u[at]!, fit.v[at]!];
    if (rim <= 0) continue;
    const over = veiled(target.image, (at % width) + 0.5, Math.floor(at / width) + 0.5, to, u, v);
    const own = veiled(source.image, fit.x[at]!, fit.y[at]!, from, u, v);
    const other = own > 0 ? veiled(source.image, fit.mirroredX[at]!, fit.mirroredY[at]!, from, 1 - u, v) : 0;
    // Below there are beards, which belong to a face. At the temples glasses end, which would stay without their rest.
    spare[at] =
      rim *
      Math.max(
        over * (1 - smoothstep(forehead, forehead + 0.06, v)),
        Math.min(own, other) * (1 - smoothstep(0.45, 0.6, v)),
      );
    turn[at] = rim * Math.max(0, own - other);
  }
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.01));
  const [soft, mirrored] = [blur(spare, width, height, radius, 2), blur(turn, width, height, radius, 2)];
  for (let at = 0; at < spare.length; at++) {
    fit.share[at]! *= 1 - Math.min(1, 1.3 * soft[at]!);
    fit.turned[at] = Math.max(fit.turned[at]!, clamp(1.3 * mirrored[at]!));
  }
}
