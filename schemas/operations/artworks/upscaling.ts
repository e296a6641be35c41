/** Upscaling: more pixels, the same picture. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';
import { refuseScale } from '../../sizes.ts';

interface Request extends ImageRequest {
  image: string;
  scale: 2 | 4;
}

export const operation = imageOperation<Request, 'upscale'>({
  name: 'upscaling',
  summary: 'Upscaling: a larger image by a neural network.',
  description: 'Two or four times as wide and high. No result has more than 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2 },
  properties: {
    image: fields.image('What to enlarge.'),
    scale: Type.Enum([2, 4], { default: 2, description: 'How many times as wide and high.' }),
  },
  check: ({ scale, outputFormat }, { image }) => refuseScale(scale, image, outputFormat),
  images: ['image'],
  task: 'upscale',
  detail: ({ scale }) => `×${scale}`,
  params: ({ scale }) => ({ image: imageOf('image'), scale }),
});
