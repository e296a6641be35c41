/** Generate style options: suggests styles for a prompt. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import type { Call } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { styleOptions, writing } from '../../writing.ts';

export const operation = defineOperation({
  name: 'style-dna/generate-style-options',
  domain: 'style-dna',
  summary: 'Suggest styles for a prompt.',
  description:
    'A synchronous request to a language model. Each suggestion includes a prompt in its style. The service stores neither the prompt nor the suggestions.',
  example: { prompt: 'a lighthouse on a cliff', count: 3 },
  request: requestBody({
    prompt: fields.prompt,
    count: Type.Integer({ minimum: 1, maximum: 8, default: 4, description: 'Number of suggestions.' }),
    nsfw: fields.nsfw,
  }),
  listings: [],
  synchronous: {
    schema: styleOptions(),
    example: {
      options: [
        { name: 'Ink', description: 'Black ink on rough paper.', prompt: 'a lighthouse on a cliff, black ink drawing' },
      ],
    },
    // The engine has validated the text against the same schema.
    from: ({ text }) => JSON.parse(text) as object,
  },
  complete: (request) => request,
  plan({ prompt, count, nsfw }) {
    const format = { schema: styleOptions(count) };
    const params = writing('style-options', { prompt, count }, { format, nsfw });
    const call: Call = { id: 'options', task: 'write', model: 'seer', summary: `${count} style options`, params };
    return { prompt: null, stages: [{ name: 'options', calls: [call] }] };
  },
});
