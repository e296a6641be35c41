/** Upscaling: enlarges an image. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseScale } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'upscaling',
  domain: 'artworks-internal',
  summary: 'Enlarge an image with a neural network.',
  description: 'Doubles or quadruples width and height. A result can have at most 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2 },
  request: requestBody({
    image: fields.image('The image to enlarge.'),
    scale: Type.Enum([2, 4], { default: 2, description: 'Factor by which width and height grow.' }),
    ...fields.creationFields,
  }),
  listings: [],
  check: ({ scale, outputFormat }, { image }) => refuseScale(scale, image, outputFormat),
  complete: (request) => request,
  plan: ({ image, scale, nsfw, outputFormat }) =>
    planOnImages({ image }, nsfw, {
      id: 'result',
      task: 'upscale',
      model: 'upscaling',
      summary: `upscaling · ×${scale}`,
      params: { image: imageOf('image'), scale, nsfw, outputFormat },
    }),
});
