/** POST /v2/artworks/selena: text to image. */
import { selena } from '../../families/selena.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(selena, {
  summary: 'Create images in painterly styles.',
  description:
    'Watercolor, oil, pastel and more. Images in a seamless style can be tiled, and the background can be transparent.',
  example: { prompt: 'a lighthouse on a cliff at dusk, gulls over the sea', style: 'watercolor', aspectRatio: '3:2' },
  transparentBackground: true,
});
