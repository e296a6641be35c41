/** Default mapping of call fields to the fields of OpenAI's image models. */
import type { DefaultMapping } from '../provider.ts';

/** Sizes that all GPT image models accept. Models from `gpt-image-2` on accept more; a binding can list those. */
const size = { from: 'size', nearest: ['1024x1024', '1536x1024', '1024x1536'] } as const;

const moderation = { from: 'nsfw', values: { true: 'low', false: 'auto' } } as const;
const outputFormat = { from: 'outputFormat' } as const;
const images = [{ from: 'image' }] as const;

export const defaultMapping: DefaultMapping = {
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
};
