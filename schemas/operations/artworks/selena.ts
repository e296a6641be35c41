/** POST /v2/artworks/selena: text to image. */
import { selena } from '../../families/selena.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(selena, {
  summary: 'Text to image: versatile and painterly.',
  description:
    'Paints in watercolor, oil, pastel and more; its seamless styles tile, and it can leave the background transparent.',
  example: { prompt: 'a lighthouse on a cliff at dusk, gulls over the sea', style: 'watercolor', aspectRatio: '3:2' },
  transparentBackground: true,
});
