/** Finds possible faces in a square with BlazeFace, which detects faces of a tenth of the square and larger. */
import { type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import type { Raster } from '../raster.ts';
import { model } from './backend.ts';
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

function* anchors(): Generator<[number, number]> {
  for (const { stride, guesses } of grids) {
    for (let y = stride / 2; y < side; y += stride) {
      for (let x = stride / 2; x < side; x += stride) for (let n = 0; n < guesses; n++) yield [x, y];
    }
  }
}

/** Numbers for each anchor: a logit, a box, and six points, of which the first two are the eyes. */
const row = 17;

export async function detect(image: Raster<3 | 4>, square: Square, minScore: number): Promise<Candidate[]> {
  const blazeface = await model('blazeface');
  const pixels = sample(image, square, side, { scale: 1 / 127.5, offset: -1 });
  const guesses = tidy(() => {
    const outputs = blazeface.execute(tensor(pixels, [1, side, side, 3])) as Tensor[];
    return read(outputs);
  });
  const found: Candidate[] = [];
  let at = 0;
  for (const anchor of anchors()) {
    const guess = guesses.subarray(at, (at += row));
    const score = 1 / (1 + Math.exp(-guess[0]!));
    if (score >= minScore) found.push(candidate(guess, anchor, square, score));
  }
  return found;
}

function candidate(guess: Float32Array, [x, y]: [number, number], square: Square, score: number): Candidate {
  const at = (k: number) => place(square, (x + guess[k]!) / side, (y + guess[k + 1]!) / side);
  const [center, right, left] = [at(1), at(5), at(7)];
  return {
    x: center[0],
    y: center[1],
    size: (Math.max(guess[3]!, guess[4]!) / side) * square.size,
    angle: Math.atan2(left[1] - right[1], left[0] - right[0]),
    score,
  };
}

/** Reads logits and boxes of 512 guesses on the fine grid and 384 on the coarse one; the outputs have no fixed order. */
function read(outputs: Tensor[]): Float32Array {
  const [fine, coarse] = [512, 384].map((count) => {
    const logits = outputs.find((output) => output.size === count)!.dataSync<'float32'>();
    const boxes = outputs.find((output) => output.size === count * (row - 1))!.dataSync<'float32'>();
    const rows = new Float32Array(count * row);
    for (let k = 0; k < count; k++) {
      rows[k * row] = logits[k]!;
      rows.set(boxes.subarray(k * (row - 1), (k + 1) * (row - 1)), k * row + 1);
    }
    return rows;
  });
  return Float32Array.of(...fine!, ...coarse!);
}
