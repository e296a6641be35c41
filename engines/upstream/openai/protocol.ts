/** OpenAI's images API: generations, and edits with masks, by the GPT image models. */
import { createOpenAI, type OpenAIImageModelEditOptions, type OpenAIImageModelGenerationOptions } from '@ai-sdk/openai';
import { openConnection } from '../connection.ts';
import type { Protocol } from '../provider.ts';
import { inputReader, optionsNamed } from '../sdk-input.ts';
import { largestResponse, sdkProvider } from '../sdk-provider.ts';
import { imageRequest } from './image-request.ts';
import { defaultMapping } from './mapping.ts';

const address = 'https://api.openai.com/v1';

const commonOptions: (keyof OpenAIImageModelGenerationOptions & keyof OpenAIImageModelEditOptions)[] = [
  ...(['quality', 'background', 'outputFormat', 'outputCompression', 'complexity', 'moderation'] as const),
  ...(['user', 'safetyIdentifier'] as const),
];
const generationOptions: (keyof OpenAIImageModelGenerationOptions)[] = ['style'];
const editOptions: (keyof OpenAIImageModelEditOptions)[] = ['inputFidelity'];

const readGeneration = inputReader(['prompt', 'negativePrompt', 'size'], {
  openai: optionsNamed([...commonOptions, ...generationOptions]),
});
const readEdit = inputReader(['prompt', 'negativePrompt', 'strength', 'size', 'images', 'mask'], {
  openai: optionsNamed([...commonOptions, ...editOptions]),
});

export const openai: Protocol = {
  name: 'openai',
  tasks: ['text-to-image', 'vary-image', 'edit-image', 'remove-background'],
  isDirect: true,
  needsKey: true,
  defaultMapping,
  output: '/images/*',
  connect({ name, baseUrl = address, apiKey: key = '' }) {
    const apiKey = key.trim();
    const connection = openConnection(baseUrl, { owner: 'an engine', largestResponse });
    const client = createOpenAI({ baseURL: connection.url, apiKey, fetch: connection.fetch });
    return sdkProvider({
      name,
      connection,
      model: (id) => client.image(id),
      request: ({ input }) => imageRequest((input['images'] ? readEdit : readGeneration)(name, input)),
      listing: { path: '/models', headers: { authorization: `Bearer ${apiKey}` } },
    });
  },
  async languageModel({ name, baseUrl = address, apiKey }, { model, vision = true, jsonSchema = true }) {
    const { createLanguageEngine } = await import('../../language/openai-compatible.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createLanguageEngine({ name, baseUrl, apiKey, model, isOpenAi: true, ...limits });
  },
};
