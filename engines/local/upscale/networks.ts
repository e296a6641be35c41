/** The ESRGAN networks of the packages `@upscalerjs/esrgan-…`, loaded once in each thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Raster } from '../raster.ts';
import { type Network, onnxOf, scaleOf } from './weights.ts';

const sessions = new Map<Network, Promise<InferenceSession>>();

/** Runs a whole raster through a network at once. */
export async function infer(network: Network, { data, width, height }: Raster<3>): Promise<Raster<3>> {
  const session = sessions.get(network) ?? open(network);
  sessions.set(network, session);
  const { pixels } = await (await session).run({ bytes: new Tensor('uint8', data, [1, height, width, 3]) });
  const scale = scaleOf(network);
  return { width: width * scale, height: height * scale, channels: 3, data: pixels!.data as Uint8Array };
}

const options: InferenceSession.SessionOptions = {
  // Each thread of the pool has a core; more threads inside it would wait for each other.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // The arena would keep the memory of the largest tile.
  enableCpuMemArena: false,
  graphOptimizationLevel: 'all',
};

async function open(network: Network): Promise<InferenceSession> {
  let session: InferenceSession | undefined;
  const start = async (file: Uint8Array) => (session = await InferenceSession.create(file, options));
  const file = await onnxOf(network, (kept) => start(kept).then(Boolean, () => false));
  return session ?? start(file);
}
