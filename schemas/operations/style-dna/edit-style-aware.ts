/** Style-dna edit, style-aware: the result has the look of an encoded style. */
import { styleEdit } from '../../style-edit.ts';

export const operation = styleEdit({
  name: 'style-dna/edit/style-aware',
  styled: true,
  summary: 'Edit an image by instruction, and bring it into an encoded style.',
  description: 'The instruction is followed as photo-pilot does, and the result gets the look of `styleDnaId`.',
});
