/** The entry of a worker thread: runs one call at a time, and transfers the bytes of its result. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import sharp from 'sharp';
import { EngineError, type ErrorCode, type Tasks, type Written } from '../contract/index.ts';
import { type Job, jobs } from './jobs.ts';
import type { Made } from './raster.ts';

sharp.concurrency(1);
sharp.cache(false);

/** A task with its parameters, sent to a thread. */
export interface Order {
  task: keyof typeof jobs;
  model: string;
  params: Tasks[keyof typeof jobs];
}

export type Result = Made | Written | number | string;

/** Errors lose their class between threads, so an `EngineError` travels as data. */
export type Outcome =
  { result: Result } | { refusal: { code: ErrorCode; message: string; publicMessage: string | undefined } };

export default async function ({ task, model, params }: Order): Promise<Outcome | Moved> {
  try {
    // The caller's types guarantee that the parameters belong to the task.
    const job = (await jobs[task]()) as Job<unknown, Result>;
    const result = await job(params, model);
    return typeof result === 'object' && 'bytes' in result ? handOver(result) : { result };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, publicMessage } = error;
    return { refusal: { code, message, publicMessage } };
  }
}

type Moved = ReturnType<typeof move>;

/** Copies the file once, because memory that sharp allocated cannot be transferred. */
function handOver(made: Made): Moved {
  const bytes = new Uint8Array(made.bytes);
  const outcome: Outcome = { result: { ...made, bytes } };
  const handed = { [transferableSymbol]: [bytes.buffer], [valueSymbol]: outcome };
  return move(handed);
}
