/** Evens out seams between patches from places in different light: keeps their gradients, removes the steps. */
import type { Field } from './patchmatch.ts';

const rounds = 60;
/** Weight of a pixel's own colour: spreads a step over about twenty pixels. */
const hold = 0.003;
/** Factor of successive over-relaxation, which saves rounds. */
const overshoot = 1.8;

export function evened({ width, height, rgb, hole, match }: Field): Float32Array {
  const out = rgb.slice();
  const inside = Int32Array.from([...hole.keys()].filter((at) => hole[at]));
  const near = Array.from(inside, (at) => {
    const [x, y] = [at % width, (at / width) | 0];
    const steps = [x > 0 ? -1 : 0, x < width - 1 ? 1 : 0, y > 0 ? -width : 0, y < height - 1 ? width : 0];
    return steps.filter((step) => step !== 0);
  });
  /** Returns the difference between `at` and its neighbour in the places that both were copied from. */
  const wanted = (at: number, step: number, k: number): number => {
    const [own, other] = [match[at]!, match[at + step]!];
    let [sum, n] = [0, 0];
    if (own >= 0) [sum, n] = [rgb[own * 3 + k]! - rgb[(own + step) * 3 + k]!, 1];
    if (other >= 0) [sum, n] = [sum + rgb[(other - step) * 3 + k]! - rgb[other * 3 + k]!, n + 1];
    return n > 0 ? sum / n : 0;
  };
  const pull = Float32Array.from({ length: inside.length * 3 }, (_, i) => {
    const [n, k] = [Math.floor(i / 3), i % 3];
    return near[n]!.reduce((sum, step) => sum + wanted(inside[n]!, step, k), hold * rgb[inside[n]! * 3 + k]!);
  });
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < inside.length; n++) {
      const steps = near[n]!;
      for (let k = 0; k < 3; k++) {
        const o = inside[n]! * 3 + k;
        let sum = pull[n * 3 + k]!;
        for (const step of steps) sum += out[o + step * 3]!;
        out[o] = out[o]! + (sum / (steps.length + hold) - out[o]!) * overshoot;
      }
    }
  }
  return out;
}
