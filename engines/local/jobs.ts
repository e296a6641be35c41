/** Maps each task of the worker threads to its function, which a thread loads at the first use. */
import type { Tasks, Written } from '../contract/index.ts';
import type { Made } from './raster.ts';

/** The tasks that return an image. */
export type Drawn = Exclude<keyof Tasks, 'write' | 'prepare-image' | 'judge-image' | 'measure-style'>;

/** @param model the catalogue's name, for tasks with several embedded models */
export type Job<Params, Result = Made> = (params: Params, model: string) => Promise<Result> | Result;

type Jobs = { [T in Drawn]: () => Promise<Job<Tasks[T]>> } & {
  'judge-image': () => Promise<Job<Tasks['judge-image'], number>>;
  'measure-style': () => Promise<Job<Tasks['measure-style'], string>>;
  write: () => Promise<Job<Tasks['write'], Written>>;
};

export const jobs: Jobs = {
  'text-to-image': async () => (await import('./sketch/index.ts')).sketch,
  'vary-image': async () => (await import('./variation/index.ts')).vary,
  'edit-image': async () => (await import('./edit/index.ts')).edit,
  'refine-face': async () => (await import('./faces/refine.ts')).refineFace,
  'swap-face': async () => (await import('./faces/swap.ts')).swapFace,
  upscale: async () => (await import('./upscale/upscale.ts')).upscale,
  'sharpen-detail': async () => (await import('./upscale/upscale.ts')).sharpenDetail,
  'remove-background': async () => (await import('./cutout/background.ts')).removeBackground,
  segment: async () => (await import('./cutout/masks.ts')).segment,
  'estimate-depth': async () => (await import('./depth/index.ts')).estimateDepth,
  'judge-image': async () => (await import('./judge/index.ts')).judge,
  'measure-style': async () => (await import('./dna/measure.ts')).measureStyle,
  write: async () => (await import('./rules/index.ts')).writeByRules,
};
