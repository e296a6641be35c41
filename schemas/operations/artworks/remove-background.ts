/** Remove background: the subject alone, with alpha. */
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';
import { alphaFormat } from '../../transparency.ts';

interface Request extends ImageRequest {
  image: string;
}

export const operation = imageOperation<Request, 'remove-background'>({
  name: 'remove-background',
  summary: 'Background removal: the subject with a transparent background.',
  description: 'The result has the size of the input, soft edges, and is a PNG or WebP: JPEG has no transparency.',
  example: { image: 'https://example.com/photo.jpg' },
  properties: { image: fields.image('What to cut out.') },
  rules: [alphaFormat],
  images: ['image'],
  task: 'remove-background',
  params: () => ({ image: imageOf('image') }),
});
