/** Finds possible faces in a square with BlazeFace, which detects faces of a tenth of the square and larger. */
import type { Raster } from '../raster.ts';
import { run } from './backend.ts';
import { place, sample, type Square } from './sample.ts';

/** A square around a possible face, turned as its eyes are. */
export interface Candidate extends Square {
  score: number;
}

const side = 256;
/** The model's grids: the stride in pixels, and the number of guesses in each cell. */
const grids = [
  { stride: 16, guesses: 2 },
  { stride: 32, guesses: 6 },
];
/** Numbers of a guess besides its logit: a box and six points, of which the first two are the eyes. */
const row = 16;

export async function detect(image: Raster<3 | 4>, square: Square, minScore: number): Promise<Candidate[]> {
  const pixels = sample(image, square, side, 1 / 127.5, -1);
  const counts = grids.map(({ stride, guesses }) => (side / stride) ** 2 * guesses);
  const outputs = await run('blazeface', pixels, ...counts, ...counts.map((count) => count * row));
  const found = grids.flatMap(({ stride, guesses }, n) => {
    const [logits, boxes] = [outputs[n]!, outputs[n + grids.length]!];
    return Array.from(logits, (logit, k) => {
      const cell = Math.floor(k / guesses) * stride;
      const anchor = [(cell % side) + stride / 2, Math.floor(cell / side) * stride + stride / 2] as const;
      const score = 1 / (1 + Math.exp(-logit));
      return candidate(boxes.subarray(k * row, (k + 1) * row), anchor, square, score);
    });
  });
  return found.filter(({ score }) => score >= minScore);
}

function candidate(guess: Float32Array, [x, y]: readonly [number, number], square: Square, score: number): Candidate {
  const at = (k: number) => place(square, (x + guess[k]!) / side, (y + guess[k + 1]!) / side);
  const [center, right, left] = [at(0), at(4), at(6)];
  const angle = Math.atan2(left[1] - right[1], left[0] - right[0]);
  return { x: center[0], y: center[1], size: (Math.max(guess[2]!, guess[3]!) / side) * square.size, angle, score };
}
