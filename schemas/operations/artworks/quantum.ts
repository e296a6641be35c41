/** POST /v2/artworks/quantum: text to image. */
import { quantum } from '../../families/quantum.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(quantum, {
  summary: 'Text to image, TBD.',
  description: 'TBD',
  example: { prompt: 'a lighthouse on a cliff at dusk, gulls over the sea' },
});
