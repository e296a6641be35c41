/** Estimates how likely an image is not safe for work, with the network of npm nsfwjs (MobileNet v2). */
import { type Tensor, io, tensor, tidy } from '@tensorflow/tfjs-core';
import { type LayersModel, loadLayersModel } from '@tensorflow/tfjs-layers';
// The package's main file loads all of TensorFlow.js; this one contains the weights alone.
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2';
import sharp from 'sharp';
import type { JudgeImage } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { useWasm } from '../vision/backend.ts';
import { sample } from '../vision/sample.ts';

/** Pixels along a side of the network's input. */
const inputSide = 224;
/** The image is read at twice that size, so that a rotation costs no sharpness. */
const imageSide = inputSide * 2;
/** Indices of the classes "hentai" and "porn" in the network's output. Scantily dressed people count as harmless. */
const explicitClasses = [1, 3];
/** Score below which the first view decides. */
const suspicious = 0.5;

/** The part of the package's types that is used here; the full types import all of TensorFlow.js. */
interface Definition {
  modelJson: () => Promise<{ default: io.ModelJSON }>;
  /** Weights in base64. */
  weightBundles: (() => Promise<{ default: string }>)[];
}

let loaded: Promise<LayersModel> | undefined;

/**
 * Returns 0–1. A high score must hold when the picture is turned a little: accidental patterns then score lower,
 * explicit content does not.
 */
export async function judge({ image }: JudgeImage): Promise<number> {
  // The whole image is squeezed into a square, as in the network's training; transparency becomes white.
  const data = await sharp(image)
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .resize(imageSide, imageSide, { fit: 'fill' })
    .raw()
    .toBuffer();
  const picture: Raster<3> = { width: imageSide, height: imageSide, channels: 3, data };
  const first = await explicitness(picture, 1, 0);
  if (first < suspicious) return first;
  return (first + (await explicitness(picture, 0.88, -8)) + (await explicitness(picture, 0.88, 8))) / 3;
}

/**
 * Returns the likelihood of explicit content in one view of the picture.
 * @param share the view's side as a share of the picture's
 * @param degrees angle by which the view is rotated
 */
async function explicitness(picture: Raster<3>, share: number, degrees: number): Promise<number> {
  const middle = imageSide / 2;
  const view = { x: middle, y: middle, size: imageSide * share, angle: (degrees * Math.PI) / 180 };
  const pixels = sample(picture, view, inputSide, 1 / 255);
  await useWasm();
  const network = await (loaded ??= load());
  const likelihoods = tidy(() =>
    (network.predict(tensor(pixels, [1, inputSide, inputSide, 3])) as Tensor).dataSync<'float32'>(),
  );
  return explicitClasses.reduce((sum, index) => sum + likelihoods[index]!, 0);
}

async function load(): Promise<LayersModel> {
  const { modelJson, weightBundles } = MobileNetV2Model as Definition;
  const { modelTopology, weightsManifest } = (await modelJson()).default;
  const shards = await Promise.all(weightBundles.map(async (read) => Buffer.from((await read()).default, 'base64')));
  const weightSpecs = weightsManifest.flatMap((group) => group.weights);
  const weightData = new Uint8Array(Buffer.concat(shards)).buffer;
  return loadLayersModel(io.fromMemory({ modelTopology, weightSpecs, weightData }));
}
