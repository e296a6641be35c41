/** Google's Gemini image models. Google shut down Imagen, which had another endpoint, in August 2026. */
import { createGoogle, type GoogleImageModelOptions } from '@ai-sdk/google';
import { EngineError } from '../../contract/index.ts';
import { openConnection } from '../connection.ts';
import { failureOf } from '../failures.ts';
import { imagePrompt } from '../image-prompt.ts';
import type { Protocol, ProviderRequest } from '../provider.ts';
import { inputReader, optionsNamed } from '../sdk-input.ts';
import { largestResponse, sdkProvider } from '../sdk-provider.ts';
import { googleAddress } from './address.ts';
import { isRefused } from './failures.ts';
import { defaultMapping } from './mapping.ts';

const options: (keyof GoogleImageModelOptions)[] = [
  ...(['safetySettings', 'threshold', 'thinkingConfig', 'mediaResolution'] as const),
  ...(['serviceTier', 'googleSearch'] as const),
];
const readInput = inputReader(['prompt', 'negativePrompt', 'strength', 'aspectRatio', 'seed', 'images'], {
  // The aspect ratio is a field of its own; the other fields of `imageConfig` exist only on Vertex AI.
  google: optionsNamed(options, { imageConfig: optionsNamed(['imageSize']) }),
});

export const google: Protocol = {
  name: 'google',
  tasks: ['text-to-image', 'vary-image', 'edit-image'],
  isDirect: true,
  needsKey: true,
  defaultMapping,
  output: '/images/*',
  connect({ name, baseUrl = googleAddress, apiKey: key = '' }) {
    const apiKey = key.trim();
    const connection = openConnection(baseUrl, { owner: 'an engine', largestResponse });
    const client = createGoogle({ baseURL: connection.url, apiKey, fetch: connection.fetch });
    return sdkProvider({
      name,
      connection,
      model: (id) => client.image(id),
      request: (request) => imageRequest(name, request),
      inspect({ images, providerMetadata }) {
        if (images.length === 0 && isRefused(providerMetadata?.['google'])) throw failureOf(name, 'refused');
      },
      listing: { path: '/models?pageSize=1', headers: { 'x-goog-api-key': apiKey } },
    });
  },
  async languageModel({ name, baseUrl, apiKey = '' }, { model, vision, jsonSchema }) {
    const { createGoogleLanguageEngine } = await import('../../language/google.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createGoogleLanguageEngine({ name, baseUrl, apiKey, model, ...limits });
  },
};

async function imageRequest(name: string, { model, input }: ProviderRequest) {
  if (!model.startsWith('gemini-')) {
    throw new EngineError(
      'provider_rejected',
      `${name} does not support this model. Use one whose name begins with gemini-`,
    );
  }
  const { images, aspectRatio, seed, providerOptions, ...promptFields } = readInput(name, input);
  const text = imagePrompt(promptFields);
  return Promise.resolve({
    prompt: images ? { text, images: images.map(({ bytes }) => bytes) } : text,
    ...(aspectRatio && { aspectRatio }),
    // Google's seeds are signed 32-bit integers, ours are unsigned.
    ...(seed !== undefined && { seed: seed % 2 ** 31 }),
    ...(providerOptions && { providerOptions }),
  });
}
