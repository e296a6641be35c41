/** Refine prompt: rewrites a prompt, optionally in the words of an encoded style. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import type { Call } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { writing } from '../../writing.ts';

export const operation = defineOperation({
  name: 'style-dna/refine-prompt',
  domain: 'style-dna',
  summary: 'Make a prompt clearer, optionally in the words of an encoded style.',
  description: 'A synchronous request to a language model. The service stores neither the prompt nor the result.',
  example: { prompt: 'fox in snow' },
  request: requestBody({ prompt: fields.prompt, styleDnaId: Type.Optional(fields.styleDnaId), nsfw: fields.nsfw }),
  listings: [],
  synchronous: {
    schema: Type.Object(
      {
        prompt: Type.String({ description: 'The refined prompt.' }),
        original: Type.String({ description: 'The prompt of the request.' }),
      },
      { additionalProperties: false },
    ),
    example: { prompt: 'A red fox in deep snow, morning light', original: 'fox in snow' },
    from: ({ text }, { prompt }) => ({ prompt: text, original: prompt }),
  },
  complete: (request) => request,
  plan({ prompt, nsfw }, style) {
    const params = writing('refine-prompt', { prompt, style: style?.words ?? null }, { nsfw });
    const call: Call = { id: 'refine', task: 'write', model: 'seer', summary: 'refine the prompt', params };
    return { prompt: null, stages: [{ name: 'refine', calls: [call] }] };
  },
});
