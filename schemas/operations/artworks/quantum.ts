/** POST /v2/artworks/quantum: text to image. */
import { quantum } from '../../families/quantum.ts';
import { textToImage } from '../../text-to-image.ts';

export const operation = textToImage(quantum, {
  summary: 'Create images in crisp, graphic styles.',
  description: 'Neon, low poly, pixel art, blueprint and more.',
  example: { prompt: 'a city skyline in the rain at night', style: 'neon', aspectRatio: '16:9' },
});
