/** Finds for each patch around a hole the most similar patch of the known picture (Barnes et al., PatchMatch). */
import type { Random } from '../../sketch/random.ts';

/** Pixels from the middle of a patch to its edge. */
export const reach = 3;
/** Cost of a source as far above or below as the picture's longer side. */
const farness = 9000;

/** One level of the pyramid. */
export interface Field {
  readonly width: number;
  readonly height: number;
  /** Interleaved, 0–255; inside the hole, the current guess. */
  readonly rgb: Float32Array;
  readonly hole: Uint8Array;
  /** Pixels around which a whole patch is known. */
  readonly source: Uint8Array;
  /** Pixels whose patch touches the hole, row by row. */
  readonly targets: Int32Array;
  /** The most similar source pixel of each target pixel. */
  readonly match: Int32Array;
  readonly cost: Float32Array;
}

function costOf(field: Field, at: number, from: number, most: number): number {
  const { width, height, rgb } = field;
  const [x, y] = [at % width, (at / width) | 0];
  const [sx, sy] = [from % width, (from / width) | 0];
  const size = Math.max(width, height);
  // Places above or below differ in light or distance more often than places beside.
  let sum = (farness * (Math.abs(x - sx) / 3 + Math.abs(y - sy))) / size;
  for (let dy = -reach; dy <= reach; dy++) {
    const ty = y + dy;
    if (ty < 0 || ty >= height) continue;
    for (let dx = -reach; dx <= reach; dx++) {
      const tx = x + dx;
      if (tx < 0 || tx >= width) continue;
      const p = (ty * width + tx) * 3;
      const q = ((sy + dy) * width + sx + dx) * 3;
      const r = rgb[p]! - rgb[q]!;
      const g = rgb[p + 1]! - rgb[q + 1]!;
      const b = rgb[p + 2]! - rgb[q + 2]!;
      sum += r * r + g * g + b * b;
    }
    if (sum >= most) return sum;
  }
  return sum;
}

/**
 * Improves all matches once: by those of neighbours, then by random search.
 * @param widest radius of the random search, in pixels
 */
export function sweep(field: Field, random: Random, backwards: boolean, widest: number): void {
  const { width, height, source, targets, match, cost } = field;
  const step = backwards ? -1 : 1;
  const count = targets.length;
  for (let n = 0; n < count; n++) {
    const at = targets[backwards ? count - 1 - n : n]!;
    const x = at % width;
    let best = match[at]!;
    let least = cost[at]!;
    const consider = (from: number): void => {
      if (from < 0 || from >= source.length || !source[from] || from === best) return;
      const c = costOf(field, at, from, least);
      if (c < least) [least, best] = [c, from];
    };
    if (x - step >= 0 && x - step < width && match[at - step]! >= 0) consider(match[at - step]! + step);
    const row = at - step * width;
    if (row >= 0 && row < match.length && match[row]! >= 0) consider(match[row]! + step * width);
    for (let radius = widest; radius >= 1; radius >>= 1) {
      const bx = (best % width) + Math.round((random.next() * 2 - 1) * radius);
      const by = ((best / width) | 0) + Math.round((random.next() * 2 - 1) * radius);
      if (bx >= 0 && by >= 0 && bx < width && by < height) consider(by * width + bx);
    }
    match[at] = best;
    cost[at] = least;
  }
}

/** Computes all costs anew, because a vote has changed the guess. */
export function recount(field: Field): void {
  for (const at of field.targets) field.cost[at] = costOf(field, at, field.match[at]!, Infinity);
}
