/** Closed-form matting: computes alpha in a band from the known pixels on both sides of it. */
import type { Raster } from '../raster.ts';
import { apply, diagonal, windowsOf } from './laplacian.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/range.ts';

export interface Question {
  image: Raster<3>;
  /** 1 where alpha is unknown; elsewhere `guess` is final. */
  unknown: Uint8Array;
  /** 0–1. */
  guess: Plane;
  /** Weight of the guess against the colours for an unknown pixel: about 0.001–0.1. */
  trust: number;
}

const rounds = 120;
const enough = 1e-3;

/** Solves by conjugate gradients, with the diagonal as preconditioner. */
export function matte({ image, unknown, guess, trust }: Question): Plane {
  const windows = windowsOf(image, unknown);
  const size = guess.data.length;
  const cells = indicesOf(unknown);
  const product = (vector: Float64Array, out: Float64Array) => {
    out.fill(0);
    apply(windows, vector, out);
    for (const i of cells) out[i]! += trust * vector[i]!;
  };
  const scale = new Float64Array(size);
  diagonal(windows, scale);

  const alpha = new Float64Array(guess.data);
  const [applied, residual, step] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  product(alpha, applied);
  let energy = 0;
  for (const i of cells) {
    residual[i] = trust * guess.data[i]! - applied[i]!;
    step[i] = residual[i] / (scale[i]! + trust);
    energy += residual[i] * step[i];
  }
  const goal = energy * enough * enough;
  for (let round = 0; round < rounds && energy > goal && energy > 1e-12; round++) {
    product(step, applied);
    let curve = 0;
    for (const i of cells) curve += step[i]! * applied[i]!;
    const length = energy / curve;
    let next = 0;
    for (const i of cells) {
      alpha[i]! += length * step[i]!;
      residual[i]! -= length * applied[i]!;
      next += (residual[i]! * residual[i]!) / (scale[i]! + trust);
    }
    const turn = next / energy;
    for (const i of cells) step[i] = residual[i]! / (scale[i]! + trust) + turn * step[i]!;
    energy = next;
  }
  const found = guess.data.slice();
  for (const i of cells) found[i] = clamp(alpha[i]!);
  return plane(guess.width, guess.height, found);
}

function indicesOf(unknown: Uint8Array): Int32Array {
  const indices = new Int32Array(unknown.length);
  let count = 0;
  for (let i = 0; i < unknown.length; i++) if (unknown[i]) indices[count++] = i;
  return indices.slice(0, count);
}
