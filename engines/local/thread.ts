/** The inside of a worker thread: one picture at a time, handed back without copying. */
import { move } from 'piscina';
import sharp from 'sharp';
import type { Job } from './pool.ts';
import { draw } from './sketch/draw.ts';

sharp.concurrency(1);
sharp.cache(false);

export default async function (job: Job): Promise<Uint8Array> {
  const bytes = await draw(job.family, job.params);
  // Memory that sharp allocated cannot be moved, so the file is copied once into our own.
  return move(new Uint8Array(bytes)) as unknown as Uint8Array;
}
