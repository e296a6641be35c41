/** The ESRGAN networks of the packages `@upscalerjs/esrgan-…`, loaded once per thread. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Raster } from '../raster.ts';
import { assemble } from './assemble.ts';
import { type KerasModel, translate } from './keras.ts';

/** A megapixel takes `slim` seconds, and `thick` minutes. */
export type Network = 'slim-2x' | 'slim-4x' | 'thick-2x' | 'thick-4x';

export const scaleOf = (network: Network): 2 | 4 => (network.endsWith('2x') ? 2 : 4);

const sessions = new Map<Network, Promise<InferenceSession>>();

/** Runs a whole raster through a network at once. */
export async function infer(network: Network, { data, width, height }: Raster<3>): Promise<Raster<3>> {
  const session = sessions.get(network) ?? open(network);
  sessions.set(network, session);
  const { pixels } = await (await session).run({ bytes: new Tensor('uint8', data, [1, height, width, 3]) });
  const scale = scaleOf(network);
  return { width: width * scale, height: height * scale, channels: 3, data: pixels!.data as Uint8Array };
}

async function open(network: Network): Promise<InferenceSession> {
  const name = network.split('-')[0]!;
  const scale = scaleOf(network);
  const entry = createRequire(import.meta.url).resolve(`@upscalerjs/esrgan-${name}`);
  const folder = new URL(`../../../../../models/x${scale}/`, pathToFileURL(entry));
  const model = JSON.parse(await readFile(new URL('model.json', folder), 'utf8')) as KerasModel;
  const files = model.weightsManifest.flatMap((group) => group.paths);
  const weights = Buffer.concat(await Promise.all(files.map((file) => readFile(new URL(file, folder)))));
  // As it was trained, slim's fourfold enlarging draws the grid of the small pixels.
  const section = translate(model, weights, network === 'slim-4x' ? 'linear' : 'nearest');
  return InferenceSession.create(assemble(section, scale, name === 'slim' ? 255 : 1), {
    // Each thread of ours has a core; more threads inside would only wait for each other.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // It would keep the memory of the largest tile for good.
    enableCpuMemArena: false,
    graphOptimizationLevel: 'all',
  });
}
