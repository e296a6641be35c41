/** Fills a hole from coarse to fine so that each of its patches resembles a patch of the known picture (Wexler et al.). */
import { inOpenCv } from '../../pixels/opencv.ts';
import { extreme } from '../../pixels/parts.ts';
import { where } from '../../pixels/plane.ts';
import type { Random } from '../../sketch/random.ts';
import { evened } from './even.ts';
import { reach, recount, sweep, type Field } from './patchmatch.ts';

/** A level of the pyramid before its patches are searched. */
export interface Level extends Pick<Field, 'width' | 'height' | 'rgb' | 'hole'> {
  /** 1 on pixels that patches must not come from, such as the subject when the background is filled. */
  avoid: Uint8Array;
}

/**
 * Returns the filled picture and, for each pixel of the hole, the place its patch came from; null if there is no source.
 * @param levels the pyramid, the finest level first
 */
export function synthesise(levels: readonly Level[], random: Random): Pick<Field, 'rgb' | 'match'> | null {
  const fields = levels.map(fieldOf);
  const finest = fields[0];
  if (!finest) return null;
  let previous: Field | null = null;
  for (let n = fields.length - 1; n >= 0; n--) {
    const field = fields[n];
    if (!field) continue;
    start(field, previous, random);
    // The coarser level has found the right place, except for patterns too fine for it.
    const size = Math.max(field.width, field.height);
    const widest = previous && n === 0 ? size >> 3 : size;
    const rounds = n === 0 ? 2 : n === 1 ? 4 : 8;
    for (let round = 0; round < rounds; round++) {
      recount(field);
      sweep(field, random, false, widest);
      sweep(field, random, true, widest);
      vote(field);
    }
    previous = field;
  }
  return { rgb: evened(finest), match: finest.match };
}

/** Prepares a level for the search. Returns null if it has no hole or no patch to copy. */
function fieldOf({ width, height, rgb, hole, avoid }: Level): Field | null {
  const touched = extreme('greatest', hole, width, height, reach);
  const shunned = extreme('greatest', avoid, width, height, reach);
  const known = where(touched, (isTouched, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return !isTouched && x >= reach && y >= reach && x < width - reach && y < height - reach;
  });
  const open = known.map((value, at) => (shunned[at] ? 0 : value));
  // If nothing else is left to copy, the pixels to avoid are better than none.
  const source = [open, known].find((values) => values.reduce((sum, value) => sum + value, 0) >= 16);
  const targets = Int32Array.from(touched.keys()).filter((at) => touched[at]);
  if (!source || targets.length === 0) return null;
  const match = new Int32Array(width * height).fill(-1);
  const cost = new Float32Array(width * height);
  return { width, height, rgb, hole, source, targets, match, cost };
}

/** Makes a first guess: the coarser level's matches, or colours spread from the rim. */
function start(field: Field, coarse: Field | null, random: Random): void {
  const { width, source, targets, match } = field;
  const anywhere = [...source.keys()].filter((at) => source[at]);
  for (const at of targets) {
    let guess = -1;
    if (coarse) {
      const [x, y] = [at % width, (at / width) | 0];
      const from = coarse.match[(y >> 1) * coarse.width + (x >> 1)]!;
      const fromX = (from % coarse.width) * 2 + (x & 1);
      const fromY = ((from / coarse.width) | 0) * 2 + (y & 1);
      if (from >= 0 && fromX < width) guess = fromY * width + fromX;
    }
    match[at] = source[guess] ? guess : random.pick(anywhere);
  }
  if (coarse) vote(field);
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
function vote(field: Field): void {
  const { width, height, rgb, hole, targets, match, cost } = field;
  const sorted = Float32Array.from(targets, (at) => cost[at]!).sort();
  const usual = Math.max(60, sorted[Math.floor(sorted.length * 0.75)] ?? 60);
  const heard = new Float32Array(width * height * 4);
  for (const at of targets) {
    const from = match[at]!;
    const sure = Math.exp(-cost[at]! / (2 * usual)) + 1e-6;
    const [x, y] = [at % width, (at / width) | 0];
    for (let dy = -reach; dy <= reach; dy++) {
      if (y + dy < 0 || y + dy >= height) continue;
      for (let dx = -reach; dx <= reach; dx++) {
        if (x + dx < 0 || x + dx >= width) continue;
        const to = at + dy * width + dx;
        if (!hole[to]) continue;
        const q = (from + dy * width + dx) * 3;
        for (let k = 0; k < 3; k++) heard[to * 4 + k]! += rgb[q + k]! * sure;
        heard[to * 4 + 3]! += sure;
      }
    }
  }
  for (let at = 0; at < hole.length; at++) {
    if (!hole[at]) continue;
    const w = heard[at * 4 + 3]!;
    for (let k = 0; k < 3; k++) rgb[at * 3 + k] = heard[at * 4 + k]! / w;
  }
}
