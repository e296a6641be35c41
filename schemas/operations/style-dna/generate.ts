/** Style-dna generate: pictures in an encoded style. */
import { generation } from '../../style-generation.ts';

export const operation = generation({
  name: 'style-dna/generate',
  summary: 'Text-to-image in an encoded style.',
  description:
    'Different prompts under one `styleDnaId` look alike: palette, light and texture are those of the style.',
});
