/** Fills a hole from coarse to fine so that each of its patches resembles a patch of the known picture (Wexler et al.). */
import type { Random } from '../../sketch/random.ts';
import { evened } from './even.ts';
import { reach, recount, sweep, type Field } from './patchmatch.ts';
import { inOpenCv } from '../../pixels/opencv.ts';
import { extreme } from '../../pixels/parts.ts';

export interface Level {
  width: number;
  height: number;
  rgb: Float32Array;
  hole: Uint8Array;
  /** 1 on pixels that patches must not come from, such as the subject when the background is filled. */
  avoid: Uint8Array;
  farness: number;
}

/** The filled picture and, for each pixel of the hole, the place its patch came from. */
export interface Synthesis {
  rgb: Float32Array;
  match: Int32Array;
}

/** @param levels the pyramid, the finest level first */
export function synthesise(levels: readonly Level[], random: Random): Synthesis | null {
  let previous: Field | null = null;
  for (let n = levels.length - 1; n >= 0; n--) {
    const level = levels[n]!;
    const field = fieldOf(level);
    if (!field) continue;
    start(field, previous, random);
    // The coarser level has found the right place, except for patterns too fine for it.
    const size = Math.max(level.width, level.height);
    const widest = previous && n === 0 ? size >> 3 : size;
    const rounds = n === 0 ? 2 : n === 1 ? 4 : 8;
    for (let round = 0; round < rounds; round++) {
      recount(field);
      sweep(field, random, false, widest);
      sweep(field, random, true, widest);
      vote(field, n === 0 && round === rounds - 1);
    }
    previous = field;
  }
  const isComplete = previous?.width === levels[0]?.width && previous?.height === levels[0]?.height;
  return previous && isComplete ? { rgb: evened(previous), match: previous.match } : null;
}

/** Returns null if no whole patch is known. */
function fieldOf({ width, height, rgb, hole, avoid, farness }: Level): Field | null {
  const source = new Uint8Array(width * height);
  const targets: number[] = [];
  const touched = extreme('greatest', hole, width, height, reach);
  const shunned = extreme('greatest', avoid, width, height, reach);
  let sources = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = x >= reach && y >= reach && x < width - reach && y < height - reach;
      if (touched[y * width + x]) targets.push(y * width + x);
      else if (inside && !shunned[y * width + x]) {
        source[y * width + x] = 1;
        sources++;
      }
    }
  if (sources < 16 || targets.length === 0) return null;
  const match = new Int32Array(width * height).fill(-1);
  const cost = new Float32Array(width * height).fill(Infinity);
  return { width, height, rgb, hole, farness, source, targets: Int32Array.from(targets), match, cost };
}

/** Makes a first guess: the coarser level's matches, or colours spread from the rim. */
function start(field: Field, coarse: Field | null, random: Random): void {
  const { width, height, source, targets, match } = field;
  const anywhere: number[] = [];
  source.forEach((known, at) => known && anywhere.push(at));
  for (const at of targets) {
    match[at] = -1;
    if (coarse) {
      const [x, y] = [at % width, (at / width) | 0];
      const c = Math.min(coarse.height - 1, y >> 1) * coarse.width + Math.min(coarse.width - 1, x >> 1);
      const from = coarse.match[c]!;
      if (from >= 0) {
        const sx = Math.min(width - 1, (from % coarse.width) * 2 + (x & 1));
        const sy = Math.min(height - 1, ((from / coarse.width) | 0) * 2 + (y & 1));
        if (source[sy * width + sx]) match[at] = sy * width + sx;
      }
    }
    if (match[at] < 0) match[at] = random.pick(anywhere);
  }
  if (coarse) vote(field, false);
  else seep(field);
}

/** Spreads the rim's colours into the hole. */
function seep({ width, height, rgb, hole }: Field): void {
  inOpenCv(({ cv, bytes, empty }) => {
    const spread = empty();
    cv.inpaint(bytes(Uint8Array.from(rgb), width, height, 3), bytes(hole, width, height), spread, 3, cv.INPAINT_TELEA);
    rgb.set(spread.data);
  });
}

/** Sets each pixel of the hole to the mean of the patches over it, weighted by their similarity. */
function vote(field: Field, last: boolean): void {
  const { width, height, rgb, hole, targets, match, cost } = field;
  const sorted = Float32Array.from(targets, (at) => cost[at]!)
    .filter(Number.isFinite)
    .sort();
  const usual = Math.max(60, sorted[Math.floor(sorted.length * (last ? 0.4 : 0.75))] ?? 60);
  const heard = new Float32Array(width * height * 4);
  for (const at of targets) {
    const from = match[at]!;
    const sure = Number.isFinite(cost[at]!) ? Math.exp(-cost[at]! / (2 * usual)) + 1e-6 : 1;
    const [x, y] = [at % width, (at / width) | 0];
    for (let dy = -reach; dy <= reach; dy++) {
      if (y + dy < 0 || y + dy >= height) continue;
      for (let dx = -reach; dx <= reach; dx++) {
        if (x + dx < 0 || x + dx >= width) continue;
        const to = at + dy * width + dx;
        if (!hole[to]) continue;
        const q = (from + dy * width + dx) * 3;
        const w = last ? sure * (dx * dx + dy * dy < 3 ? 4 : 1) : sure;
        heard[to * 4] = heard[to * 4]! + rgb[q]! * w;
        heard[to * 4 + 1] = heard[to * 4 + 1]! + rgb[q + 1]! * w;
        heard[to * 4 + 2] = heard[to * 4 + 2]! + rgb[q + 2]! * w;
        heard[to * 4 + 3] = heard[to * 4 + 3]! + w;
      }
    }
  }
  for (let at = 0; at < hole.length; at++) {
    if (!hole[at]) continue;
    const w = heard[at * 4 + 3]!;
    for (let k = 0; k < 3; k++) rgb[at * 3 + k] = heard[at * 4 + k]! / w;
  }
}
