/** The entry of a worker thread: runs one call at a time, and transfers the bytes of its result. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import sharp from 'sharp';
import type { Tasks } from '../contract/index.ts';
import { type Job, jobs } from './jobs.ts';
import { refused, type Outcome } from './outcome.ts';
import type { Made } from './raster.ts';

sharp.concurrency(1);
sharp.cache(false);

/** A task with its parameters, sent to a thread. */
export interface Order {
  task: keyof typeof jobs;
  model: string;
  params: Tasks[keyof typeof jobs];
}

export default async function ({ task, model, params }: Order): Promise<Outcome<Made | number | string> | Moved> {
  try {
    // The caller's types guarantee that the parameters belong to the task.
    const job = (await jobs[task]()) as Job<unknown, Made | number | string>;
    const result = await job(params, model);
    return typeof result === 'object' ? handOver(result) : { result };
  } catch (error) {
    return refused(error);
  }
}

type Moved = ReturnType<typeof move>;

/** Copies the file once, because memory that sharp allocated cannot be transferred. */
function handOver(made: Made): Moved {
  const bytes = new Uint8Array(made.bytes);
  const result = { ...made, bytes };
  const outcome: Outcome<Made> = { result };
  const handed = { [transferableSymbol]: [bytes.buffer], [valueSymbol]: outcome };
  return move(handed);
}
