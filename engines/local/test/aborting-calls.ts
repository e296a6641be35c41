/** Aborts calls in the middle of their inference, and closes the pool during one. A process of its own, because it may die. */
import { readFile } from 'node:fs/promises';
import { createPool } from '../pool.ts';

const pool = createPool(1);
const bytes = new Uint8Array(await readFile(new URL('./photos/coffee.jpg', import.meta.url)));
const image = { bytes, contentType: 'image/jpeg' as const, width: 600, height: 400 };
const params = { image, scale: 4 as const, nsfw: false, outputFormat: 'png' as const };
const upscale = (signal: AbortSignal) => pool.run({ task: 'upscale', model: 'upscaling', params }, signal);

// Inference begins after about 0.3 s.
for (const time of [1200, 1000, 800, 600, 500]) {
  const ending = (error: Error) => error.name;
  process.stdout.write(`${await upscale(AbortSignal.timeout(time)).then(() => 'completed', ending)}\n`);
}
upscale(new AbortController().signal).catch(() => undefined);
await pool.close();
process.stdout.write('closed\n');
