/** Detailer upscaler: crisper detail, and more pixels if wanted. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseScale } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'detailer-upscaler',
  domain: 'artworks-internal',
  summary: 'Detail sharpening, with optional upscaling.',
  description: 'At the same size, or two or four times as wide and high. No result has more than 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2, detail: 0.7 },
  request: requestBody({
    image: fields.image('What to sharpen.'),
    scale: Type.Enum([1, 2, 4], { default: 1, description: 'How many times as wide and high.' }),
    detail: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: '0 changes little, 1 the most.' }),
    ...fields.creationFields,
  }),
  listings: [],
  check: ({ scale, outputFormat }, { image }) => refuseScale(scale, image, outputFormat),
  complete: (request) => request,
  plan: ({ image, scale, detail, nsfw, outputFormat }) =>
    planOnImages({ image }, nsfw, {
      id: 'result',
      task: 'sharpen-detail',
      model: 'detailer-upscaler',
      summary: `detailer-upscaler · ×${scale} · detail ${detail}`,
      params: { image: imageOf('image'), scale, detail, nsfw, outputFormat },
    }),
});
