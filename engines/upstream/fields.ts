/** What an operator's template may take from a call of each task, and what it must. */
import type { Task } from '../../schemas/tasks.ts';

/** Fields that are in no task's parameters; see `sources.ts`. */
const derived = ['styledPrompt', 'styledInstruction', 'size', 'aspectRatio'];

interface Fields {
  has: readonly string[];
  /** What the task is nothing without: one of each row. */
  needs: readonly (readonly string[])[];
  /** What a call may leave open. */
  open?: readonly string[];
}

const image: Fields = { has: ['image'], needs: [['image']] };

const table: Readonly<Partial<Record<Task, Fields>>> = {
  'text-to-image': {
    has: [
      'prompt',
      'negativePrompt',
      'style',
      'styleWords',
      'width',
      'height',
      'seed',
      'transparentBackground',
      'seamless',
    ],
    needs: [['prompt']],
    open: ['negativePrompt', 'style', 'styleWords'],
  },
  'vary-image': {
    has: ['image', 'prompt', 'style', 'styleWords', 'strength', 'seed', 'seamless'],
    needs: [['image']],
    open: ['prompt', 'styledPrompt', 'style', 'styleWords'],
  },
  'edit-image': { has: ['image', 'instruction', 'mask', 'seed'], needs: [['image'], ['instruction']], open: ['mask'] },
  'refine-face': image,
  'swap-face': { has: ['source', 'target'], needs: [['source'], ['target']] },
  upscale: { has: ['image', 'scale'], needs: [['image'], ['scale']] },
  'sharpen-detail': { has: ['image', 'scale', 'detail'], needs: [['image']] },
  'remove-background': image,
  segment: { has: ['image', 'prompt', 'points'], needs: [['image'], ['prompt', 'points']], open: ['prompt', 'points'] },
  'estimate-depth': image,
};

/** @returns null for a task that no provider of images can be asked to do */
export function fieldsOf(task: Task): Fields | null {
  const fields = table[task];
  return fields ? { ...fields, has: [...fields.has, ...derived, 'nsfw', 'outputFormat'] } : null;
}
