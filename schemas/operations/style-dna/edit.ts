/** Style-dna edit: edits by instruction, for keys of the style feature. */
import { styleEdit } from '../../style-edit.ts';

export const operation = styleEdit({
  name: 'style-dna/edit',
  summary: 'Edit an image by instruction.',
  description: 'As photo-pilot does. An instruction that the model cannot follow fails with input_invalid.',
});
