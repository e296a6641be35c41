/** The three ways to refine a face. */
import { boxBlur } from '../pixels/blur.ts';
import { smoothed } from '../pixels/guided.ts';
import { noiseOf } from '../pixels/noise.ts';
import { smoothstep } from '../pixels/range.ts';
import type { Closeup } from './closeup.ts';
import { eyesMask, lengthOf, lipsMask, skinMask } from './masks.ts';
import { type Planes, toPlanes, withBrightness } from './planes.ts';
import { restore } from './restore.ts';

/** @param network `thick` shows more, and takes seconds for each face */
type Refiner = (face: Closeup, network: 'slim' | 'thick') => Planes | Promise<Planes>;

/** Restores lost detail with a network, and raises contrast where it counts. */
async function clarity(face: Closeup, network: 'slim' | 'thick'): Promise<Planes> {
  const restored = await restore(face.image, network);
  const { width, height, y } = restored;
  const fine = boxBlur(y, width, height, Math.max(1, Math.round(lengthOf(face) / 250)), 2);
  const wide = boxBlur(y, width, height, Math.max(2, Math.round(lengthOf(face) / 24)), 2);
  return withBrightness(restored, (value, at) => {
    const edge = value - fine[at]!;
    const form = fine[at]! - wide[at]!;
    // Strong edges get less, so that they get no halo.
    return value + (0.5 * edge) / (1 + 12 * Math.abs(edge)) + (0.14 * form) / (1 + 6 * Math.abs(form));
  });
}

/** Lessens noise and sharpens a little, without a visible effect. */
async function natural(face: Closeup): Promise<Planes> {
  const restored = await restore(face.image, 'slim', 0.6);
  const { width, height } = restored;
  const noise = noiseOf(face.image) / 255;
  // Less than about 0.01 is the skin's own structure.
  const noisy = smoothstep(0.008, 0.025, noise);
  const y = smoothed({ width, height, data: restored.y }, 2, noise * (1 + 1.5 * noisy));
  const radius = Math.max(2, Math.round(lengthOf(face) / 100));
  const colour = (plane: Float32Array) =>
    smoothed({ width, height, data: plane }, radius, Math.min(0.05, 0.01 + 1.5 * noise));
  const fine = boxBlur(y, width, height, Math.max(1, Math.round(lengthOf(face) / 300)), 2);
  const crisp = y.map(
    (value, at) => value + (0.4 * (1 - noisy) * (value - fine[at]!)) / (1 + 10 * Math.abs(value - fine[at]!)),
  );
  return { width, height, y: crisp, cb: colour(restored.cb), cr: colour(restored.cr) };
}

/** Shares of pores and lines that stay, and of uneven light that is removed. */
const pores = 0.35;
const evenedOut = 0.3;

/** Smooths skin but keeps its pores, evens out its light, and clears eyes and lips. */
function portrait(face: Closeup): Planes {
  const own = toPlanes(face.image);
  const { width, height } = own;
  const length = lengthOf(face);
  const [skin, eyes, lips] = [skinMask(face), eyesMask(face), lipsMask(face)];
  const radius = (share: number) => Math.max(1, Math.round(length * share));
  const calm = smoothed({ width, height, data: own.y }, radius(0.022), 0.09);
  const fine = boxBlur(own.y, width, height, radius(0.004), 2);
  // Means over skin only, because other parts do not show how light falls on skin.
  const among = (plane: Float32Array, share: number) => {
    const inside = plane.map((value, at) => value * skin[at]!);
    const sums = boxBlur(inside, width, height, radius(share), 3);
    const weights = boxBlur(skin, width, height, radius(share), 3);
    return sums.map((sum, at) => sum / (weights[at]! + 1e-6));
  };
  const [patches, light] = [among(calm, 0.035), among(calm, 0.13)];
  const y = own.y.map((value, at) => {
    const edge = value - fine[at]!;
    // Shadows that form the face are large differences, blotches small ones.
    const blotch = patches[at]! - light[at]!;
    const even = evenedOut * blotch * Math.exp(-((blotch / 0.06) ** 2));
    const soft = calm[at]! + pores * (value - calm[at]!) - even;
    const crisp = value + (0.9 * edge) / (1 + 8 * Math.abs(edge));
    const clear = Math.min(1, eyes[at]! + lips[at]!);
    return value + skin[at]! * (1 - clear) * (soft - value) + clear * (crisp - value);
  });
  const [cb, cr] = [own.cb, own.cr].map((plane) => {
    const even = smoothed({ width, height, data: among(plane, 0.01) }, radius(0.02), 0.02);
    return plane.map((value, at) => value + 0.7 * skin[at]! * (even[at]! - value) + 0.12 * lips[at]! * value);
  }) as [Float32Array, Float32Array];
  return { width, height, y, cb, cr };
}

/** The refiners by the catalogue's names of models. */
export const refiners: ReadonlyMap<string, Refiner> = new Map<string, Refiner>([
  ['face-clarity', clarity],
  ['face-natural', natural],
  ['face-portrait', portrait],
]);
