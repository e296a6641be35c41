/** Face swap: the face of one image on another. */
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';

interface Request extends ImageRequest {
  sourceImage: string;
  targetImage: string;
}

export const operation = imageOperation<Request, 'swap-face'>({
  name: 'face-swap',
  summary: 'Face replacement: the face of the source on the target.',
  description: 'The largest face of each image is used. Without one the artwork fails with face_not_found.',
  example: { sourceImage: 'https://example.com/me.jpg', targetImage: 'https://example.com/portrait.jpg' },
  properties: {
    sourceImage: fields.image('Whose face to take.'),
    targetImage: fields.image('Where to put it.'),
  },
  images: ['sourceImage', 'targetImage'],
  sizedBy: 'targetImage',
  task: 'swap-face',
  params: () => ({ source: imageOf('sourceImage'), target: imageOf('targetImage') }),
});
