/** Depth map: how near every pixel is. */
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';

interface Request extends ImageRequest {
  image: string;
}

export const operation = imageOperation<Request, 'estimate-depth'>({
  name: 'depth-map',
  summary: 'Depth map: a grayscale image, near is white.',
  description: 'One 8-bit gray image of the size of the input.',
  example: { image: 'https://example.com/photo.jpg' },
  properties: { image: fields.image('What to measure.') },
  images: ['image'],
  task: 'estimate-depth',
  role: 'depth',
  params: () => ({ image: imageOf('image') }),
});
