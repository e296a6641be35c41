/** The tasks that make images: what a provider with a model for everything can be asked to do. */
import type { Task } from '../../schemas/tasks.ts';

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
