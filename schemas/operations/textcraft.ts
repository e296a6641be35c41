/** Textcraft: text-only work of a language model. */
import Type from 'typebox';
import * as fields from '../fields.ts';
import { defineOperation } from '../operation.ts';
import type { Call } from '../plan.ts';
import { requestBody } from '../request.ts';
import { finishReasons, mostTokens, writing } from '../writing.ts';

const tasks = ['rewrite', 'copy', 'summarize', 'translate', 'freeform'] as const;

const answer = Type.Object(
  {
    id: Type.String({ description: 'Opaque; for questions to the operator.' }),
    text: Type.String({ description: 'What was written; with the format json a JSON object.' }),
    model: Type.String({ description: 'The engine and model that wrote it.', examples: ['local/rules'] }),
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
  summary: 'Text-only work: rewriting, copy, summaries, translation and more.',
  description:
    'Answered at once, within 60 seconds. Nothing of it is kept. With the format `json` the text is a valid JSON ' +
    'object, or the request fails. What the configured model cannot do is refused with 422.',
  example: { task: 'summarize', prompt: 'Lighthouses were built to guide ships. Most of them are automatic today.' },
  request: requestBody({
    task: Type.Enum([...tasks], { description: 'What to do with the prompt.' }),
    prompt: fields.words(fields.longestPrompt, {
      description: 'The text to work on, or what to write.',
    }),
    instructions: Type.Optional(
      fields.words(fields.longestPrompt, {
        description: 'How to do it: tone, length, language.',
        examples: ['in one sentence'],
      }),
    ),
    maxTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: mostTokens, description: 'Of the answer, at most.' })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: '0 is the most predictable.' })),
    format: Type.Enum(['text', 'json'], { default: 'text', description: 'Of the answer.' }),
  }),
  listings: [],
  answer: {
    schema: answer,
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
  plan({ task, prompt, instructions = null, maxTokens = null, temperature = null, format }) {
    const params = writing(
      task,
      { text: prompt, instructions },
      { format: format === 'json' ? { schema: { type: 'object' } } : null, maxTokens, temperature },
    );
    const call: Call = { id: 'write', task: 'write', model: 'textcraft', summary: `textcraft · ${task}`, params };
    return { prompt: null, stages: [{ name: 'write', calls: [call] }] };
  },
});
