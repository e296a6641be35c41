/** Runs functions of the embedded engines outside of Jest, in whose realm loops over pixels take a hundred times as long. */
import { parentPort } from 'node:worker_threads';
import type { Raster } from '../raster.ts';
import type { Network } from '../upscale/networks.ts';

type Function<Result> = (...args: never[]) => Result;

/** Imports a module at the first call of its function, so that a test file loads only the libraries that it needs. */
function of<M extends Record<N, Function<unknown>>, N extends string>(load: () => Promise<M>, name: N) {
  return async (...args: Parameters<M[N]>): Promise<Awaited<ReturnType<M[N]>>> =>
    (await (await load())[name](...args)) as Awaited<ReturnType<M[N]>>;
}

const work = {
  decode: of(() => import('../raster.ts'), 'decode'),
  draw: of(() => import('../sketch/draw.ts'), 'draw'),
  marble: of(() => import('./marble.ts'), 'marble'),
  measureStyle: of(() => import('../dna/measure.ts'), 'measureStyle'),
  dress: of(() => import('../dna/dress.ts'), 'dress'),
  refineFace: of(() => import('../faces/refine.ts'), 'refineFace'),
  swapFace: of(() => import('../faces/swap.ts'), 'swapFace'),
  infer: of(() => import('../upscale/networks.ts'), 'infer'),
  upscale: of(() => import('../upscale/upscale.ts'), 'upscale'),
  sharpenDetail: of(() => import('../upscale/upscale.ts'), 'sharpenDetail'),
  findFaces: of(() => import('../vision/faces.ts'), 'findFaces'),
  describeFace: of(() => import('../vision/faces.ts'), 'describeFace'),
  findObjects: of(() => import('../vision/objects.ts'), 'findObjects'),
  enlarge: async (picture: Raster<3>, network: Network): Promise<Raster<3>> =>
    (await import('../upscale/enlarge.ts')).enlarge(picture, network),
  tensorsInMemory: async () => (await import('@tensorflow/tfjs-core')).memory().numTensors,
  lookNames: async () => Object.keys((await import('../sketch/looks/index.ts')).looks),
  houseNames: async () => Object.keys((await import('../sketch/looks/index.ts')).houses),
  tileNames: async () => Object.keys((await import('../sketch/tile/index.ts')).tiles),
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
