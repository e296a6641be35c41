/** Runs functions of the embedded engines outside of Jest, in whose realm loops over pixels take a hundred times as long. */
import { parentPort } from 'node:worker_threads';
import { memory } from '@tensorflow/tfjs-core';
import { dress } from '../../../engines/local/dna/dress.ts';
import { measureStyle } from '../../../engines/local/dna/measure.ts';
import { refineFace } from '../../../engines/local/faces/refine.ts';
import { swapFace } from '../../../engines/local/faces/swap.ts';
import { decode, type Raster } from '../../../engines/local/raster.ts';
import { draw } from '../../../engines/local/sketch/draw.ts';
import { enlarge } from '../../../engines/local/upscale/esrgan.ts';
import { houses, looks } from '../../../engines/local/sketch/looks/index.ts';
import { tiles } from '../../../engines/local/sketch/tile/index.ts';
import type { Network } from '../../../engines/local/upscale/weights.ts';
import { infer } from '../../../engines/local/upscale/networks.ts';
import { sharpenDetail } from '../../../engines/local/upscale/sharpen.ts';
import { upscale } from '../../../engines/local/upscale/upscale.ts';
import { describeFace, findFaces } from '../../../engines/local/vision/faces.ts';
import { findObjects } from '../../../engines/local/vision/objects.ts';

const tensorsInMemory = () => memory().numTensors;

const work = {
  ...{ decode, draw, measureStyle, dress, refineFace, swapFace, infer, upscale, sharpenDetail },
  ...{ findFaces, describeFace, findObjects, tensorsInMemory },
  enlarge: (picture: Raster<3>, network: Network): Promise<Raster<3>> => enlarge(picture, network),
  lookNames: () => Object.keys(looks),
  houseNames: () => Object.keys(houses),
  tileNames: () => Object.keys(tiles),
};
export type Work = typeof work;

export interface Request {
  id: number;
  name: keyof Work;
  args: unknown[];
}

/** Errors lose their own fields between threads, so these travel as data. */
export interface Failure {
  name: string;
  message: string;
  code?: unknown;
  publicMessage?: unknown;
}

export type Response = { id: number } & ({ result: unknown } | { failure: Failure });

async function run({ name, args }: Request): Promise<{ result: unknown } | { failure: Failure }> {
  try {
    return { result: await (work[name] as (...given: unknown[]) => unknown)(...args) };
  } catch (error) {
    const { name: kind, message, code, publicMessage } = error as Failure;
    return { failure: { name: kind, message, code, publicMessage } };
  }
}

parentPort?.on('message', (request: Request) => {
  void run(request).then((outcome) => parentPort?.postMessage({ id: request.id, ...outcome }));
});
