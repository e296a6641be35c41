/** Style-dna edit, style-aware: edits an image and applies an encoded style. */
import { styleEdit } from '../../style-edit.ts';

export const operation = styleEdit({
  name: 'style-dna/edit/style-aware',
  styled: true,
  summary: 'Edit an image with an instruction, and apply an encoded style.',
  description: 'Works like photo-pilot, and applies the style `styleDnaId` to the result.',
});
