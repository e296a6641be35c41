/** Upscaling: more pixels, the same picture. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseScale } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'upscaling',
  domain: 'artworks-internal',
  summary: 'Upscaling: a larger image by a neural network.',
  description: 'Two or four times as wide and high. No result has more than 64 megapixels.',
  example: { image: 'https://example.com/photo.jpg', scale: 2 },
  request: requestBody({
    image: fields.image('What to enlarge.'),
    scale: Type.Enum([2, 4], { default: 2, description: 'How many times as wide and high.' }),
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
