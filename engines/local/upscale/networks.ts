/** The ESRGAN networks of the packages `@upscalerjs/esrgan-…`, loaded once in each thread. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sessionOptions } from '../onnx.ts';
import type { Raster } from '../raster.ts';
import { cached } from './cache.ts';
import { convert, type KerasModel } from './convert.ts';

/** For a megapixel, `slim` takes seconds and `thick` minutes. */
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

/** Counts changes of the conversion, so that a file of an older release is not used. */
const conversionVersion = 4;

async function open(network: Network): Promise<InferenceSession> {
  const folder = folderOf(network);
  const { version } = JSON.parse(await readFile(new URL('../../package.json', folder), 'utf8')) as { version: string };
  const make = () => converted(network, folder);
  const file = await cached(`${network}-${version}-${conversionVersion}.onnx`, make);
  // The cached file may be damaged.
  const again = async () => InferenceSession.create(await make(), sessionOptions);
  return InferenceSession.create(file, sessionOptions).catch(again);
}

function folderOf(network: Network): URL {
  const entry = createRequire(import.meta.url).resolve(`@upscalerjs/esrgan-${network.split('-')[0]}`);
  return new URL(`../../../../../models/x${scaleOf(network)}/`, pathToFileURL(entry));
}

async function converted(network: Network, folder: URL): Promise<Uint8Array> {
  const model = JSON.parse(await readFile(new URL('model.json', folder), 'utf8')) as KerasModel;
  const files = model.weightsManifest.flatMap((group) => group.paths);
  const weights = Buffer.concat(await Promise.all(files.map((file) => readFile(new URL(file, folder)))));
  const white = network.startsWith('slim') ? 255 : 1;
  // With the interpolation of its training, slim's fourfold enlarging draws the grid of the small pixels.
  const interpolation = network === 'slim-4x' ? 'linear' : 'nearest';
  return convert(model, weights, { scale: scaleOf(network), white, interpolation });
}
