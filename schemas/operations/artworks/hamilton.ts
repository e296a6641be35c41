/** POST /v2/artworks/hamilton: text to image. */
import { hamilton } from '../../families/hamilton.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(hamilton, {
  summary: 'Text to image, TBD.',
  description: 'TBD',
  example: { prompt: 'a lighthouse on a cliff at dusk, gulls over the sea' },
});
