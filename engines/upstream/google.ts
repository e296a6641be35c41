/** Google's Gemini image models. Imagen, which had another endpoint, was shut down in August 2026. */
import { createGoogle, type GoogleImageModelOptions } from '@ai-sdk/google';
import { EngineError } from '../contract/index.ts';
import { openConnection } from './connection.ts';
import { drawingReader, optionsNamed } from './drawing.ts';
import { failureOf } from './failures.ts';
import { googleAddress } from './google-address.ts';
import { imagePrompt } from './image-prompt.ts';
import type { Protocol, ProviderRequest } from './provider.ts';
import { longestAnswer, sdkProvider, type Sdk } from './sdk-provider.ts';

/** Those that all Gemini image models know. */
const aspectRatio = {
  from: 'aspectRatio',
  nearest: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
};
const seed = { from: 'seed' };
const images = [{ from: 'image' }];

/** The filters that can be set; those for children and other prohibited content always stay on. */
const providerOptions = {
  google: {
    safetySettings: [
      {
        category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT',
        threshold: { from: 'nsfw', values: { true: 'BLOCK_NONE', false: 'BLOCK_MEDIUM_AND_ABOVE' } },
      },
    ],
  },
};

const options: (keyof GoogleImageModelOptions)[] = [
  ...(['safetySettings', 'threshold', 'thinkingConfig', 'mediaResolution'] as const),
  ...(['serviceTier', 'googleSearch'] as const),
];
const read = drawingReader(['prompt', 'negativePrompt', 'strength', 'aspectRatio', 'seed', 'images'], {
  // The shape is a field of its own, and the rest of `imageConfig` is for Vertex AI.
  google: optionsNamed(options, { imageConfig: optionsNamed(['imageSize']) }),
});

export const google: Protocol = {
  name: 'google',
  tasks: ['text-to-image', 'vary-image', 'edit-image'],
  answersAtOnce: true,
  needsKey: true,
  defaults: {
    'text-to-image': {
      prompt: { from: 'styledPrompt' },
      negativePrompt: { from: 'negativePrompt' },
      aspectRatio,
      seed,
      providerOptions,
    },
    'vary-image': {
      prompt: { from: 'styledPrompt' },
      strength: { from: 'strength' },
      images,
      aspectRatio,
      seed,
      providerOptions,
    },
    'edit-image': { prompt: { from: 'styledInstruction' }, images, aspectRatio, seed, providerOptions },
  },
  output: '/images/*',
  connect({ name, baseUrl = googleAddress, apiKey: key = '' }) {
    const apiKey = key.trim();
    const connection = openConnection(baseUrl, { whose: 'an engine', longestAnswer });
    const client = createGoogle({ baseURL: connection.url, apiKey, fetch: connection.fetch });
    return sdkProvider({
      name,
      connection,
      model: (id) => client.image(id),
      ask: (request) => ask(name, request),
      inspect: (result) => inspect(name, result),
      listing: { path: '/models?pageSize=1', headers: { 'x-goog-api-key': apiKey } },
    });
  },
  async languageModel({ name, baseUrl, apiKey = '' }, { model, vision, jsonSchema }) {
    const { createGoogleLanguageEngine } = await import('../language/google.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createGoogleLanguageEngine({ name, baseUrl, apiKey, model, ...limits });
  },
};

async function ask(name: string, { model, input }: ProviderRequest) {
  if (!model.startsWith('gemini-')) {
    throw new EngineError('provider_rejected', `${name} draws with models whose names begin with gemini-`);
  }
  const { images, aspectRatio, seed, providerOptions, ...rest } = read(name, input);
  const text = imagePrompt(rest);
  return Promise.resolve({
    prompt: images ? { text, images: images.map(({ bytes }) => bytes) } : text,
    ...(aspectRatio && { aspectRatio }),
    // Theirs has a bit less than ours and a sign.
    ...(seed !== undefined && { seed: seed % 2 ** 31 }),
    ...(providerOptions && { providerOptions }),
  });
}

/** Why generation stopped, where it is about the content: `FinishReason` of the Gemini API. */
const refusals = new Set([
  ...['SAFETY', 'IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'IMAGE_PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'],
  ...['RECITATION', 'IMAGE_RECITATION'],
]);

/** An answer without an image is a 200. A prompt that was blocked has a reason, whichever; the rest tells by its end. */
function inspect(name: string, { images, providerMetadata }: Parameters<NonNullable<Sdk['inspect']>>[0]): void {
  if (images.length > 0) return;
  const { promptFeedback, finishReason } = Object(providerMetadata?.['google']) as Record<string, unknown>;
  const { blockReason } = Object(promptFeedback) as Record<string, unknown>;
  if (blockReason || refusals.has(String(finishReason))) throw failureOf(name, 'refused');
}
