/** Finds the sky: a smooth area, blue or bright, that reaches down from the upper edge. */
import { EngineError } from '../../contract/index.ts';
import { guided } from '../pixels/guided.ts';
import { opaque } from '../pixels/alpha.ts';
import { plane } from '../pixels/plane.ts';
import type { Raster } from '../raster.ts';
import { oklab } from '../oklab.ts';
import { resized } from '../pixels/resize.ts';
import { flood } from '../pixels/flood.ts';

const workSize = 420;
/** Minimum share of the picture; less is too little to be meant. */
const least = 0.04;

export async function skyMask(raster: Raster): Promise<Raster<1>> {
  const scale = Math.min(1, workSize / Math.max(raster.width, raster.height));
  const [w, h] = [Math.max(8, Math.round(raster.width * scale)), Math.max(8, Math.round(raster.height * scale))];
  const small = await resized(raster, { width: w, height: h }, 'linear');
  const rgb = opaque(small);
  const lab = new Float32Array(w * h * 3);
  for (let i = 0; i < w * h; i++) {
    lab.set(oklab([small.data[i * 4]! / 255, small.data[i * 4 + 1]! / 255, small.data[i * 4 + 2]! / 255]), i * 3);
  }
  const top = Array.from({ length: w }, (_, x) => x).filter((x) => likely(lab, x * 3));
  const reached = flood(w, h, top, (to, from) => likely(lab, to * 3) && stepBetween(lab, from * 3, to * 3) <= 0.028);
  const map = plane(w, h, Float32Array.from(reached));
  if (map.data.reduce((sum, v) => sum + v, 0) < least * w * h) {
    throw new EngineError('input_invalid', 'No sky in the image.', { publicMessage: 'No sky was found in the image.' });
  }
  return guided(map, rgb, raster, 4, 0.0008);
}

/** Returns whether a colour can be sky: blue, or bright and pale, or warm but not green, as at sunset. */
function likely(lab: Float32Array, p: number): boolean {
  const [L, a, b] = [lab[p]!, lab[p + 1]!, lab[p + 2]!];
  const blue = b < -0.012 && a < 0.05;
  const pale = L > 0.72 && Math.hypot(a, b) < 0.06;
  const glowing = L > 0.6 && b > 0 && a > -0.015 && Math.hypot(a, b) < 0.2;
  return blue || pale || glowing;
}

function stepBetween(lab: Float32Array, p: number, q: number): number {
  return Math.hypot(lab[p]! - lab[q]!, lab[p + 1]! - lab[q + 1]!, lab[p + 2]! - lab[q + 2]!);
}
