/** Default mapping of call fields to the fields of Gemini's image models. */
import type { DefaultMapping } from '../provider.ts';

/** Ratios that all Gemini image models accept. */
const aspectRatio = {
  from: 'aspectRatio',
  nearest: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
} as const;
const seed = { from: 'seed' } as const;
const images = [{ from: 'image' }] as const;

/** The only configurable filter that matters here. Filters for other prohibited content are always on. */
const providerOptions = {
  google: {
    safetySettings: [
      {
        category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT',
        threshold: { from: 'nsfw', values: { true: 'BLOCK_NONE', false: 'BLOCK_MEDIUM_AND_ABOVE' } },
      },
    ],
  },
} as const;

export const defaultMapping: DefaultMapping = {
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
};
