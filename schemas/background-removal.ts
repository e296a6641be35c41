/** Makes the operation that removes the background of an image, for whichever domain. */
import type { Domain } from './access.ts';
import * as fields from './fields.ts';
import { imageOf, imageOperation, type ImageRequest } from './image-operation.ts';
import type { Operation } from './operation.ts';
import { alphaFormat } from './transparency.ts';

interface Request extends ImageRequest {
  image: string;
}

export function backgroundRemoval(name: string, domain: Domain): Operation {
  return imageOperation<Request, 'remove-background'>({
    name,
    domain,
    summary: 'Background removal: the subject with a transparent background.',
    description: 'The result has the size of the input, soft edges, and is a PNG or WebP: JPEG has no transparency.',
    example: { image: 'https://example.com/photo.jpg' },
    properties: { image: fields.image('What to cut out.') },
    rules: [alphaFormat],
    images: ['image'],
    task: 'remove-background',
    model: 'remove-background',
    params: () => ({ image: imageOf('image') }),
  });
}
