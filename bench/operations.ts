/** Measures the time and the worker's memory of every image operation on the embedded engines. */
import sharp from 'sharp';
import type { ArtworkView } from '../schemas/artwork.ts';
import { type Backends, serversOf } from './backends.ts';
import { create, ended } from '../test/support/client.ts';
import { dataUri, photo } from '../engines/local/test/photos.ts';
import { startStack, type Stack } from '../test/support/stack.ts';
import { printFigures, summarize } from './figures.ts';
import { memory } from './processes.ts';

const sides = [512, 1024];
/** Measured runs. An unmeasured run before them loads the models. */
const runs = 3;
/** Milliseconds for one artwork. */
const timeout = 15 * 60_000;

const operations: Record<string, [operation: string, body: object]> = {
  selena: ['selena', { prompt: 'a lighthouse at dusk' }],
  'selena-variete': ['selena-variete', { style: 'watercolor' }],
  'photo-pilot, colour': ['photo-pilot', { instruction: 'make it warmer' }],
  'photo-pilot, background': ['photo-pilot', { instruction: 'blur the background' }],
  'face-refiner, clarity': ['face-refiner', { model: 'face-clarity' }],
  'face-refiner, natural': ['face-refiner', { model: 'face-natural' }],
  'face-refiner, portrait': ['face-refiner', { model: 'face-portrait' }],
  'face-swap': ['face-swap', {}],
  'upscaling ×2': ['upscaling', { scale: 2 }],
  'upscaling ×4': ['upscaling', { scale: 4 }],
  'detailer-upscaler ×1': ['detailer-upscaler', { scale: 1 }],
  'remove-background': ['remove-background', {}],
  'segmentation, prompt': ['segmentation', { prompts: ['person'] }],
  'segmentation, points': ['segmentation', { points: [{ x: 220, y: 120, label: 1 }] }],
  'depth-map': ['depth-map', {}],
};

export async function benchOperations(backends: Backends): Promise<void> {
  const stack = await startStack({
    ...serversOf(backends),
    env: { ATELIER_LOG_LEVEL: 'warn' },
  });
  const worker = stack.workers[0]?.pid ?? 0;
  try {
    const images = await Promise.all(sides.map((side) => square(side)));
    const rows: Record<string, string> = { seconds: sides.map((side) => `${side}²`.padStart(7)).join(' ') };
    for (const [name, [operation, body]] of Object.entries(operations)) {
      const cells: string[] = [];
      for (const [index, image] of images.entries()) {
        const size = { width: sides[index], height: sides[index] };
        const inputs = inputsOf(operation, image, size);
        const times: number[] = [];
        for (let run = 0; run <= runs; run++) times.push(await seconds(stack, operation, { ...body, ...inputs }));
        cells.push(summarize(times.slice(1)).p50.toFixed(2).padStart(7));
      }
      rows[name] = cells.join(' ');
    }
    printFigures(rows);
    const before = memory(worker).peak;
    const large = dataUri(
      await sharp(await photo('coffee'))
        .resize(4000, 4000, { fit: 'fill' })
        .jpeg()
        .toBuffer(),
    );
    const time = await seconds(stack, 'upscaling', { image: large, scale: 2 });
    printFigures({
      'worker memory, peak': `${before} MB`,
      'and with 16 megapixels ×2': `${memory(worker).peak} MB, ${time.toFixed(0)} s`,
    });
  } finally {
    await stack.stop();
  }
}

const square = async (side: number): Promise<string> =>
  dataUri(
    await sharp(await photo('astronaut'))
      .resize(side, side)
      .png()
      .toBuffer(),
  );

function inputsOf(operation: string, image: string, size: object): object {
  if (operation === 'selena') return size;
  return operation === 'face-swap' ? { sourceImage: image, targetImage: image } : { image };
}

/** Returns the seconds from the start of an artwork's work to its end. */
async function seconds(stack: Stack, operation: string, body: object): Promise<number> {
  const { id } = await create(stack, { ...body }, operation);
  const artwork: ArtworkView = await ended(stack, id, timeout);
  if (artwork.status !== 'SUCCEEDED') throw new Error(`${operation}: ${artwork.error?.message}`);
  return (Date.parse(artwork.finishedAt ?? '') - Date.parse(artwork.startedAt ?? '')) / 1000;
}
