/** Style-dna edit: edits an image as an instruction says, for keys with the domain style-dna. */
import { styleEdit } from '../../style-edit.ts';

export const operation = styleEdit({
  name: 'style-dna/edit',
  summary: 'Edit an image with an instruction.',
  description:
    'Works like photo-pilot. The artwork fails with `input_invalid` if the model cannot follow the instruction.',
});
