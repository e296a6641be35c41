/** Textcraft: writes and rewrites text with a language model. */
import Type from 'typebox';
import * as fields from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { Call } from '../plan.ts';
import { requestBody } from '../request.ts';
import { finishReasons, maxOutputTokens, writing } from '../writing.ts';

const tasks = ['rewrite', 'copy', 'summarize', 'translate', 'freeform'] as const;

const responseBody = Type.Object(
  {
    id: Type.String({ description: 'Unique identifier of the response. Quote it when you contact the operator.' }),
    text: Type.String({ description: 'The written text; a JSON object if the format is `json`.' }),
    model: Type.String({ description: 'The engine and model that wrote the text.', examples: ['local/rules'] }),
    finishReason: Type.Enum([...finishReasons]),
    usage: Type.Object(
      { inputTokens: Type.Integer({ minimum: 0 }), outputTokens: Type.Integer({ minimum: 0 }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

export const operation = defineOperation({
  name: 'textcraft',
  domain: 'textcraft',
  summary: 'Write, rewrite, summarize or translate text.',
  description:
    'A synchronous request, which takes at most 60 seconds. The service stores neither the prompt nor the result. If ' +
    'the format is `json`, the text is a valid JSON object; otherwise the request fails. The request fails with 422 if ' +
    'the configured model cannot do the task.',
  example: { task: 'summarize', prompt: 'Lighthouses were built to guide ships. Most of them are automatic today.' },
  request: requestBody({
    task: Type.Enum([...tasks], { description: 'What to do with the prompt.' }),
    prompt: fields.words(fields.longestPrompt, {
      description: 'The text to work on, or a description of the text to write.',
    }),
    instructions: Type.Optional(
      fields.words(fields.longestPrompt, {
        description: 'How to write the text, such as its tone, length or language.',
        examples: ['in one sentence'],
      }),
    ),
    maxTokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxOutputTokens, description: 'Maximum number of tokens of the text.' }),
    ),
    temperature: Type.Optional(
      Type.Number({ minimum: 0, maximum: 2, description: 'Randomness of the text; 0 is the most predictable.' }),
    ),
    format: Type.Enum(['text', 'json'], { default: 'text', description: 'The format of the text.' }),
    nsfw: fields.nsfw,
  }),
  listings: [],
  synchronous: {
    schema: responseBody,
    example: {
      id: 'ans_01KAJ3V8C0Q5M2X7ZB4N9TDWEH',
      text: 'Lighthouses were built to guide ships.',
      model: 'local/rules',
      finishReason: 'stop',
      usage: { inputTokens: 18, outputTokens: 10 },
    },
    from: ({ id, text, model, finishReason, usage }) => ({ id, text, model, finishReason, usage }),
  },
  complete: (request) => request,
  plan({ task, prompt, instructions = null, maxTokens = null, temperature = null, format, nsfw }) {
    const params = writing(
      task,
      { text: prompt, instructions },
      { format: format === 'json' ? { schema: { type: 'object' } } : null, maxTokens, temperature, nsfw },
    );
    const call: Call = { id: 'write', task: 'write', model: 'textcraft', summary: `textcraft · ${task}`, params };
    return { prompt: null, stages: [{ name: 'write', calls: [call] }] };
  },
});
