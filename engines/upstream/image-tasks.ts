/** The tasks with an image as result: those that an image model of a provider can perform. */
import type { Task } from '../contract/index.ts';

export const imageTasks = [
  'text-to-image',
  'vary-image',
  'edit-image',
  'refine-face',
  'swap-face',
  'upscale',
  'sharpen-detail',
  'remove-background',
  'segment',
  'estimate-depth',
] as const satisfies readonly Task[];

export type ImageTask = (typeof imageTasks)[number];

export const isImageTask = (task: Task): task is ImageTask => imageTasks.some((known) => known === task);
