/** Style-dna generate asset: a picture for a layout, with or without its background. */
import { generation } from '../../style-generation.ts';

export const operation = generation({
  name: 'style-dna/generate/asset',
  asset: true,
  summary: 'An asset in an encoded style, with a transparent background if wanted.',
  description:
    'With `backgroundMode` `transparent` the background is removed in a second step of the same artwork. One webhook ' +
    'is sent, on the final result.',
});
