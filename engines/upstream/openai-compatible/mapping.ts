/** Default mapping of call fields to the fields of OpenAI-compatible image APIs. */
import type { DefaultMapping } from '../provider.ts';

const size = { from: 'size' } as const;
/** Without this option many servers respond with a link, which may point to a private address of theirs. */
const providerOptions = { openaiCompatible: { response_format: 'b64_json' } } as const;

export const defaultMapping: DefaultMapping = {
  'text-to-image': { prompt: { from: 'styledPrompt' }, size, providerOptions },
  'edit-image': {
    prompt: { from: 'styledInstruction' },
    images: [{ from: 'image' }],
    mask: { from: 'mask' },
    size,
    providerOptions,
  },
};
