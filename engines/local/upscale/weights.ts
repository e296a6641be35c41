/** The networks as ONNX files: converted from the packages' Keras weights once, then kept in a cache folder. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { assemble } from './assemble.ts';
import { type KerasModel, translate } from './keras.ts';

/** A megapixel takes `slim` seconds, and `thick` minutes. */
export const networks = ['slim-2x', 'slim-4x', 'thick-2x', 'thick-4x'] as const;
export type Network = (typeof networks)[number];

export const scaleOf = (network: Network): 2 | 4 => (network.endsWith('2x') ? 2 : 4);

/** Counts changes of the conversion, so that a file of an older release is not used. */
const conversion = 1;

const cacheFolder = new URL('../../../node_modules/.cache/atelier-local/', import.meta.url);

/**
 * Returns the network's ONNX file. Where the cache cannot be written, the network is converted in memory.
 * @param isUsable decides about a file of the cache; one that is not usable is converted again
 */
export async function onnxOf(
  network: Network,
  isUsable: (file: Uint8Array) => Promise<boolean>,
  cache: URL = cacheFolder,
): Promise<Uint8Array> {
  const { model, weights } = await packaged(network);
  const checksum = createHash('sha256').update(JSON.stringify(model)).update(weights).digest('hex');
  const file = new URL(`${network}-${conversion}-${checksum.slice(0, 32)}.onnx`, cache);
  const kept = await readFile(file).catch(() => null);
  if (kept && (await isUsable(kept))) return kept;
  const converted = convert(network, model, weights);
  await keep(file, converted).catch(() => undefined);
  return converted;
}

/** Other threads and processes see the whole file or none. */
async function keep(file: URL, bytes: Uint8Array): Promise<void> {
  await mkdir(new URL('.', file), { recursive: true });
  const unfinished = new URL(`${file.href}.${process.pid}-${threadId}`);
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}

async function packaged(network: Network): Promise<{ model: KerasModel; weights: Uint8Array }> {
  const name = network.split('-')[0]!;
  const entry = createRequire(import.meta.url).resolve(`@upscalerjs/esrgan-${name}`);
  const folder = new URL(`../../../../../models/x${scaleOf(network)}/`, pathToFileURL(entry));
  const model = JSON.parse(await readFile(new URL('model.json', folder), 'utf8')) as KerasModel;
  const files = model.weightsManifest.flatMap((group) => group.paths);
  return { model, weights: Buffer.concat(await Promise.all(files.map((file) => readFile(new URL(file, folder))))) };
}

function convert(network: Network, model: KerasModel, weights: Uint8Array): Uint8Array {
  // As it was trained, slim's fourfold enlarging draws the grid of the small pixels.
  const section = translate(model, weights, network === 'slim-4x' ? 'linear' : 'nearest');
  return assemble(section, scaleOf(network), network.startsWith('slim') ? 255 : 1);
}
