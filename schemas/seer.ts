/** The prompt mode `seer`: a stage that has a language model write a fuller prompt before an image model gets it. */
import type { Stage, TextOf } from './plan.ts';
import { writing } from './writing.ts';

/** Stands for the enhanced prompt in what follows the stage. */
export const enhancedPrompt: TextOf = { $textOf: 'enhance' };

export function enhance(prompt: string, style: string | null, nsfw: boolean): Stage {
  const summary = 'seer · enhance the prompt';
  const params = writing('enhance-prompt', { prompt, style }, { nsfw });
  return { name: 'enhance', calls: [{ id: 'enhance', task: 'write', model: 'seer', summary, params }] };
}
