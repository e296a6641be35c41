/** Runs the models that the package Human contains, with TensorFlow.js on WebAssembly in this thread. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { enableProdMode, getBackend, io, setBackend, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';

const { resolve } = createRequire(import.meta.url);
const human = join(dirname(resolve('@vladmandic/human')), '../models');

/** The models of the package that the engines use. */
type ModelName = 'blazeface' | 'facemesh' | 'faceres' | 'centernet';

let located = false;

/** Makes WebAssembly the backend, unless it already is: other code in the thread may have chosen another one. */
export async function useWasm(): Promise<void> {
  if (getBackend() === 'wasm') return;
  // Setting the paths twice is an error.
  if (!located) setWasmPaths(`${dirname(resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  located = true;
  enableProdMode();
  await setBackend('wasm');
}

const loaded = new Map<ModelName, Promise<GraphModel>>();

/**
 * Runs a model, which each thread reads once, on the pixels of a square.
 * @param sizes number of values in each wanted output, by which it is found: a model's outputs have no fixed order
 */
export async function run(name: ModelName, pixels: Float32Array, ...sizes: number[]): Promise<Float32Array[]> {
  await useWasm();
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  const network = await known;
  const side = Math.sqrt(pixels.length / 3);
  return tidy(() => {
    const outputs = network.execute(tensor(pixels, [1, side, side, 3])) as Tensor[];
    return sizes.map((size) => outputs.find((output) => output.size === size)!.dataSync<'float32'>());
  });
}

async function load(name: ModelName): Promise<GraphModel> {
  const [topology, weights] = await Promise.all([
    readFile(join(human, `${name}.json`), 'utf8'),
    readFile(join(human, `${name}.bin`)),
  ]);
  const { modelTopology, weightsManifest, signature } = JSON.parse(topology) as io.ModelJSON;
  const handler = io.fromMemory({
    modelTopology,
    weightSpecs: weightsManifest.flatMap((group) => group.weights),
    weightData: new Uint8Array(weights).buffer,
    ...(signature && { signature }),
  });
  return loadGraphModel(handler);
}
