/** TensorFlow.js on WebAssembly in this thread, and the models that the package Human contains. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { enableProdMode, getBackend, io, setBackend } from '@tensorflow/tfjs-core';

const { resolve } = createRequire(import.meta.url);
const human = join(dirname(resolve('@vladmandic/human')), '../models');

/** The models of the package that the engines use. */
export type ModelName = 'blazeface' | 'facemesh' | 'faceres' | 'centernet';

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

/** Returns a model of Human, which each thread reads once. */
export async function model(name: ModelName): Promise<GraphModel> {
  await useWasm();
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
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
