/** Depth map: how near every pixel is. */
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'depth-map',
  domain: 'artworks-internal',
  summary: 'Depth map: a grayscale image, near is white.',
  description: 'One 8-bit gray image of the size of the input.',
  example: { image: 'https://example.com/photo.jpg' },
  request: requestBody({ image: fields.image('What to measure.'), ...fields.creationFields }),
  listings: [],
  check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
  complete: (request) => request,
  plan: ({ image, nsfw, outputFormat }) =>
    planOnImages({ image }, nsfw, {
      id: 'result',
      task: 'estimate-depth',
      model: 'depth-map',
      summary: 'depth-map',
      role: 'depth',
      params: { image: imageOf('image'), nsfw, outputFormat },
    }),
});
