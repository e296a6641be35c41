/** POST /v2/artworks/selena: text to image. */
import { selena } from '../../families/selena.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(selena, {
  summary: 'Text to image, TBD.',
  description: 'TBD',
  example: { prompt: 'a lighthouse on a cliff at dusk, gulls over the sea' },
});
