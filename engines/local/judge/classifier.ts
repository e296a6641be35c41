/** The network of npm nsfwjs, a MobileNet v2 that tells five kinds of pictures apart. */
import { type Tensor, io, tensor, tidy } from '@tensorflow/tfjs-core';
import { type LayersModel, loadLayersModel } from '@tensorflow/tfjs-layers';
// The package itself would load all of TensorFlow.js; this part of it is the weights alone.
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2';
import { useWasm } from '../vision/backend.ts';

/** Pixels of the square that the network looks at. */
export const side = 224;

/** In the order of the network's answers. */
const kinds = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

/** How likely an image is of each kind; together 1. */
export type Likelihoods = Readonly<Record<(typeof kinds)[number], number>>;

/** As much of it as we use; its own types lead to TensorFlow.js as a whole. */
interface Definition {
  modelJson: () => Promise<{ default: io.ModelJSON }>;
  /** Base64. */
  weightBundles: (() => Promise<{ default: string }>)[];
}

let loaded: Promise<LayersModel> | undefined;

async function load(): Promise<LayersModel> {
  const { modelJson, weightBundles } = MobileNetV2Model as Definition;
  const { modelTopology, weightsManifest } = (await modelJson()).default;
  const shards = await Promise.all(weightBundles.map(async (read) => (await read()).default));
  const weights = Buffer.concat(shards.map((shard) => Buffer.from(shard, 'base64')));
  const weightSpecs = weightsManifest.flatMap((group) => group.weights);
  return loadLayersModel(io.fromMemory({ modelTopology, weightSpecs, weightData: new Uint8Array(weights).buffer }));
}

/** @param pixels RGB 0–1 of a square, interleaved */
export async function classify(pixels: Float32Array): Promise<Likelihoods> {
  await useWasm();
  const network = await (loaded ??= load());
  const answer = tidy(() => (network.predict(tensor(pixels, [1, side, side, 3])) as Tensor).dataSync<'float32'>());
  return Object.fromEntries(kinds.map((kind, k) => [kind, answer[k]!])) as Likelihoods;
}
