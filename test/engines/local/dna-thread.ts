/** Draws, measures and dresses outside of Jest, in whose realm loops over pixels are a hundred times slower. */
import { parentPort } from 'node:worker_threads';
import { dress } from '../../../engines/local/dna/dress.ts';
import { measureStyle } from '../../../engines/local/dna/measure.ts';
import { decode } from '../../../engines/local/raster.ts';
import { draw } from '../../../engines/local/sketch/draw.ts';

const work = { draw, measureStyle, dress, decode };
export type Work = typeof work;

export interface Question {
  id: number;
  name: keyof Work;
  args: unknown[];
}

parentPort?.on('message', ({ id, name, args }: Question) => {
  const run = work[name] as (...given: unknown[]) => unknown;
  Promise.resolve()
    .then(() => run(...args))
    .then(
      (answer) => parentPort?.postMessage({ id, answer }),
      (error: unknown) => parentPort?.postMessage({ id, error: String(error) }),
    );
});
