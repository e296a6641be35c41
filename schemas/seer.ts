/** The prompt mode `seer`: a stage in which a language model enhances the prompt for the image model. */
import type { Stage, TextOf } from './plan.ts';
import { writing } from './writing.ts';

/** Refers to the enhanced prompt in later stages. */
export const enhancedPrompt: TextOf = { $textOf: 'enhance' };

export function enhance(prompt: string, style: string | null, nsfw: boolean): Stage {
  const summary = 'seer · enhance the prompt';
  const params = writing('enhance-prompt', { prompt, style }, { nsfw });
  return { name: 'enhance', calls: [{ id: 'enhance', task: 'write', model: 'seer', summary, params }] };
}
