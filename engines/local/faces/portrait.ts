/** The refiner `face-portrait`: smooth skin that keeps its pores, even light, and clear eyes and lips. */
import type { Closeup } from './closeup.ts';
import { boxBlur } from '../pixels/blur.ts';
import { eyesMask, lengthOf, lipsMask, skinMask } from './masks.ts';
import { type Planes, toPlanes } from './planes.ts';
import { smoothed } from '../pixels/guided.ts';

/** Shares of pores and lines that stay, and of uneven light that is removed. */
const pores = 0.35;
const evening = 0.3;

export function portrait(face: Closeup): Promise<Planes> {
  const own = toPlanes(face.image);
  const { width, height } = own;
  const length = lengthOf(face);
  const [skin, eyes, lips] = [skinMask(face), eyesMask(face), lipsMask(face)];
  const radius = (share: number) => Math.max(1, Math.round(length * share));
  const calm = smoothed({ width, height, data: own.y }, radius(0.022), 0.09);
  const fine = boxBlur(own.y, width, height, radius(0.004), 2);
  // Means over skin only, because other parts do not show how light falls on skin.
  const among = (plane: Float32Array, share: number) => {
    const sums = boxBlur(
      plane.map((value, at) => value * skin[at]!),
      width,
      height,
      radius(share),
      3,
    );
    const weights = boxBlur(skin, width, height, radius(share), 3);
    return sums.map((sum, at) => sum / (weights[at]! + 1e-6));
  };
  const [patches, light] = [among(calm, 0.035), among(calm, 0.13)];
  const y = own.y.map((value, at) => {
    const edge = value - fine[at]!;
    // Shadows that form the face are large differences, blotches small ones.
    const blotch = patches[at]! - light[at]!;
    const even = evening * blotch * Math.exp(-((blotch / 0.06) ** 2));
    const smoothed = calm[at]! + pores * (value - calm[at]!) - even;
    const crisp = value + (0.9 * edge) / (1 + 8 * Math.abs(edge));
    const clear = Math.min(1, eyes[at]! + lips[at]!);
    return value + skin[at]! * (1 - clear) * (smoothed - value) + clear * (crisp - value);
  });
  const [cb, cr] = [own.cb, own.cr].map((plane) => {
    const even = smoothed({ width, height, data: among(plane, 0.01) }, radius(0.02), 0.02);
    return plane.map((value, at) => value + 0.7 * skin[at]! * (even[at]! - value) + 0.12 * lips[at]! * value);
  }) as [Float32Array, Float32Array];
  return Promise.resolve({ width, height, y, cb, cr });
}
