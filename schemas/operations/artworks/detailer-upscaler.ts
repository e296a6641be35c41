/** Detailer upscaler: crisper detail, and more pixels if wanted. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';
import { refuseScale } from '../../sizes.ts';

interface Request extends ImageRequest {
  image: string;
  scale: 1 | 2 | 4;
  detail: number;
}

export const operation = imageOperation<Request, 'sharpen-detail'>({
  name: 'detailer-upscaler',
  summary: 'Detail sharpening, with optional upscaling.',
  description: 'At the same size, or two or four times as wide and high. No result has more than 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2, detail: 0.7 },
  properties: {
    image: fields.image('What to sharpen.'),
    scale: Type.Enum([1, 2, 4], { default: 1, description: 'How many times as wide and high.' }),
    detail: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: '0 changes little, 1 the most.' }),
  },
  check: ({ scale, outputFormat }, { image }) => refuseScale(scale, image, outputFormat),
  images: ['image'],
  task: 'sharpen-detail',
  detail: ({ scale, detail }) => `×${scale} · detail ${detail}`,
  params: ({ scale, detail }) => ({ image: imageOf('image'), scale, detail }),
});
