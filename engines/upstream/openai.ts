/** OpenAI's images: generations, and edits with masks, by the GPT image models. */
import { createOpenAI, type OpenAIImageModelEditOptions, type OpenAIImageModelGenerationOptions } from '@ai-sdk/openai';
import { openConnection } from './connection.ts';
import { drawingReader, optionsNamed } from './drawing.ts';
import { askLikeOpenAI } from './openai-drawing.ts';
import type { Protocol } from './provider.ts';
import { longestAnswer, sdkProvider } from './sdk-provider.ts';

const address = 'https://api.openai.com/v1';

/** All GPT image models draw these; those from `gpt-image-2` on many more, which a mapping may name. */
const size = { from: 'size', nearest: ['1024x1024', '1536x1024', '1024x1536'] };

const moderation = { from: 'nsfw', values: { true: 'low', false: 'auto' } };
const outputFormat = { from: 'outputFormat' };
const images = [{ from: 'image' }];

const always: (keyof OpenAIImageModelGenerationOptions & keyof OpenAIImageModelEditOptions)[] = [
  ...(['quality', 'background', 'outputFormat', 'outputCompression', 'complexity', 'moderation'] as const),
  ...(['user', 'safetyIdentifier'] as const),
];
const onlyGenerating: (keyof OpenAIImageModelGenerationOptions)[] = ['style'];
const onlyEditing: (keyof OpenAIImageModelEditOptions)[] = ['inputFidelity'];

const generation = drawingReader(['prompt', 'negativePrompt', 'size'], {
  openai: optionsNamed([...always, ...onlyGenerating]),
});
const edit = drawingReader(['prompt', 'negativePrompt', 'strength', 'size', 'images', 'mask'], {
  openai: optionsNamed([...always, ...onlyEditing]),
});

export const openai: Protocol = {
  name: 'openai',
  tasks: ['text-to-image', 'vary-image', 'edit-image', 'remove-background'],
  answersAtOnce: true,
  needsKey: true,
  defaults: {
    'text-to-image': {
      prompt: { from: 'styledPrompt' },
      negativePrompt: { from: 'negativePrompt' },
      size,
      providerOptions: {
        openai: {
          background: { from: 'transparentBackground', values: { true: 'transparent', false: 'opaque' } },
          outputFormat,
          moderation,
        },
      },
    },
    'vary-image': {
      prompt: { from: 'styledPrompt' },
      strength: { from: 'strength' },
      images,
      size,
      providerOptions: { openai: { outputFormat, moderation } },
    },
    'edit-image': {
      prompt: { from: 'styledInstruction' },
      images,
      mask: { from: 'mask' },
      size,
      providerOptions: { openai: { outputFormat, moderation } },
    },
    'remove-background': {
      prompt: 'Remove the background. Keep the subject exactly as it is, in its place and at its size.',
      images,
      size,
      providerOptions: { openai: { background: 'transparent', outputFormat, moderation } },
    },
  },
  output: '/images/*',
  connect({ name, baseUrl = address, apiKey: key = '' }) {
    const apiKey = key.trim();
    const connection = openConnection(baseUrl, { whose: 'an engine', longestAnswer });
    const client = createOpenAI({ baseURL: connection.url, apiKey, fetch: connection.fetch });
    return sdkProvider({
      name,
      connection,
      model: (id) => client.image(id),
      ask: ({ input }) => askLikeOpenAI((input['images'] ? edit : generation)(name, input)),
      listing: { path: '/models', headers: { authorization: `Bearer ${apiKey}` } },
    });
  },
  async languageModel({ name, baseUrl = address, apiKey }, { model, vision = true, jsonSchema = true }) {
    const { createLanguageEngine } = await import('../language/openai-compatible.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createLanguageEngine({ name, baseUrl, apiKey, model, isOpenAi: true, ...limits });
  },
};
