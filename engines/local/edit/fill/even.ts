/** Evens out seams between patches from places in different light: keeps their gradients, removes the steps. */
import type { Field } from './patchmatch.ts';

const rounds = 60;
/** Weight of a pixel's own colour: spreads a step over about twenty pixels. */
const hold = 0.003;
const overshoot = 1.8;

export function evened({ width, height, rgb, hole, match }: Field): Float32Array {
  const out = rgb.slice();
  const inside: number[] = [];
  for (let at = 0; at < hole.length; at++) if (hole[at]) inside.push(at);
  const pull = new Float32Array(inside.length * 3);
  const count = new Uint8Array(inside.length);
  /** Returns the difference between `at` and its neighbour in the places that both were copied from. */
  const wanted = (at: number, to: number, k: number): number => {
    const step = to - at;
    const [own, other] = [match[at]!, match[to]!];
    let [sum, n] = [0, 0];
    if (own >= 0) [sum, n] = [rgb[own * 3 + k]! - rgb[(own + step) * 3 + k]!, 1];
    if (other >= 0) [sum, n] = [sum + rgb[(other - step) * 3 + k]! - rgb[other * 3 + k]!, n + 1];
    return n > 0 ? sum / n : 0;
  };
  const near = (at: number): number[] => {
    const [x, y] = [at % width, (at / width) | 0];
    return [
      x > 0 ? at - 1 : -1,
      x < width - 1 ? at + 1 : -1,
      y > 0 ? at - width : -1,
      y < height - 1 ? at + width : -1,
    ].filter((n) => n >= 0);
  };
  inside.forEach((at, n) => {
    for (const to of near(at)) {
      count[n] = count[n]! + 1;
      for (let k = 0; k < 3; k++) pull[n * 3 + k] = pull[n * 3 + k]! + wanted(at, to, k);
    }
  });
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < inside.length; n++) {
      const at = inside[n]!;
      const [x, y] = [at % width, (at / width) | 0];
      for (let k = 0; k < 3; k++) {
        const o = at * 3 + k;
        let sum = pull[n * 3 + k]! + hold * rgb[o]!;
        if (x > 0) sum += out[o - 3]!;
        if (x < width - 1) sum += out[o + 3]!;
        if (y > 0) sum += out[o - 3 * width]!;
        if (y < height - 1) sum += out[o + 3 * width]!;
        out[o] = out[o]! + (sum / (count[n]! + hold) - out[o]!) * overshoot;
      }
    }
  }
  return out;
}
