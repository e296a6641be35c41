/** Detailer upscaler: sharpens detail and optionally enlarges. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseScale } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'detailer-upscaler',
  domain: 'artworks-internal',
  summary: 'Sharpen the detail of an image, and optionally enlarge it.',
  description: 'Keeps the size, or doubles or quadruples width and height. A result can have at most 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2, detail: 0.7 },
  request: requestBody({
    image: fields.image('The image to sharpen.'),
    scale: Type.Enum([1, 2, 4], { default: 1, description: 'Factor by which width and height grow.' }),
    detail: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description: 'Strength of the sharpening, from 0 (weakest) to 1 (strongest).',
    }),
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
