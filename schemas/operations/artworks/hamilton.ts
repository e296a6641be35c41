/** POST /v2/artworks/hamilton: text to image. */
import { hamilton } from '../../families/hamilton.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(hamilton, {
  summary: 'Create images in the styles of fine art and print-making.',
  description: 'Engraving, linocut, ukiyo-e, mosaic, stained glass and more.',
  example: { prompt: 'a crane over a misty lake at dawn', style: 'ukiyo-e', aspectRatio: '2:3' },
});
